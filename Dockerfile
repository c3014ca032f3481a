# Pergamon in a container. What each line is for, and how it was tried: docs/deploy.md

FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY packages packages
RUN npm ci --ignore-scripts --omit=dev
COPY bin bin
# Debian's browser is used, which gets security fixes; what builds the program is of no use to it.
RUN node bin/build.mjs --clean \
  && rm -rf dist/*.map node_modules/@sparticuz node_modules/esbuild node_modules/@esbuild node_modules/@pergamon-dev

FROM node:24-bookworm-slim
# More packages of Debian, such as "tesseract-ocr-all fonts-noto-cjk".
ARG EXTRA_PACKAGES=""
# The shell costs little for most pages; the whole browser is for `proxy: enhanced`.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends chromium chromium-headless-shell fonts-liberation $EXTRA_PACKAGES \
  && rm -rf /var/lib/apt/lists/* \
  && install --directory --owner=node --group=node --mode=0700 /data
WORKDIR /app
COPY package.json LICENSE NOTICE ./
COPY bin bin
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/dist dist
RUN ln -s /app/bin/pergamon.mjs /usr/local/bin/pergamon

# Beyond the own machine keys are needed: AUTH is `keys` where HOST is no loopback address.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3002 DATA_DIR=/data CACHE_DIR=/data/cache LOG_FORMAT=json
# Memory goes back to the system sooner: docs/operations.md, "What is kept, and what may be lost".
ENV MALLOC_ARENA_MAX=2 MALLOC_TRIM_THRESHOLD_=131072 MALLOC_MMAP_THRESHOLD_=65536
USER node
VOLUME /data
EXPOSE 3002
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --start-interval=1s \
  CMD ["node", "bin/health.mjs"]
# Without a shell in between: SIGTERM reaches the service, which lets running requests end.
# With the memory settings at once, so that the program need not start itself again (bin/small-memory.mjs).
ENTRYPOINT ["node", "--max-semi-space-size=4", "--min-semi-space-size=4", "--initial-old-space-size=40", "/app/bin/pergamon.mjs"]
CMD ["serve"]
