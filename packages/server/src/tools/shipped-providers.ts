import type { ProvidersFile } from "./catalogue/entry.ts";

type Shipped = Readonly<Record<string, unknown>>;

/**
 * Providers of open data that need no key, as their publishers document them. Callers must respect the
 * licences of the data.
 */
export const shippedProviders: { readonly providers: readonly Shipped[] } = {
  providers: [
    {
      id: "wikipedia",
      name: "Wikipedia",
      kind: "http",
      description: "The free encyclopaedia, in English.",
      domains: ["wikipedia.org"],
      cohorts: ["reference"],
      attribution: "Wikipedia contributors, CC BY-SA 4.0",
      rate: { perSecond: 5 },
      base: "https://en.wikipedia.org/api/rest_v1",
      capabilities: [
        {
          id: "summary",
          description: "The beginning of an article, as plain text.",
          readOnly: true,
          options: {
            type: "object",
            properties: {
              title: { type: "string", minLength: 1, maxLength: 255, description: "Title of the article." },
            },
            required: ["title"],
            additionalProperties: false,
          },
          example: { title: "Pergamon" },
          request: { path: "/page/summary/{title}" },
          response: { pick: { title: "title", extract: "extract", url: "content_urls.desktop.page" } },
        },
      ],
    },
    {
      id: "open-meteo",
      name: "Open-Meteo",
      kind: "http",
      description: "Weather forecasts for any place. Free for non-commercial use.",
      domains: ["open-meteo.com"],
      cohorts: ["weather"],
      attribution: "Weather data by Open-Meteo.com, CC BY 4.0",
      rate: { perSecond: 5 },
      base: "https://api.open-meteo.com/v1",
      capabilities: [
        {
          id: "forecast",
          description: "Temperature, precipitation and wind per hour, for up to 16 days.",
          readOnly: true,
          options: {
            type: "object",
            properties: {
              latitude: { type: "number", minimum: -90, maximum: 90 },
              longitude: { type: "number", minimum: -180, maximum: 180 },
              days: { type: "integer", minimum: 1, maximum: 16, default: 3 },
            },
            required: ["latitude", "longitude"],
            additionalProperties: false,
          },
          example: { latitude: 39.13, longitude: 27.18 },
          request: {
            path: "/forecast",
            query: {
              latitude: "{latitude}",
              longitude: "{longitude}",
              forecast_days: "{days}",
              hourly: "temperature_2m,precipitation,wind_speed_10m",
            },
          },
        },
      ],
    },
    {
      id: "crossref",
      name: "Crossref",
      kind: "http",
      description: "Bibliographic metadata of scholarly works.",
      domains: ["doi.org", "crossref.org"],
      cohorts: ["research"],
      attribution: "Crossref, CC0",
      rate: { perSecond: 5 },
      base: "https://api.crossref.org",
      capabilities: [
        {
          id: "search",
          description: "Works whose metadata match search words.",
          readOnly: true,
          options: {
            type: "object",
            properties: {
              query: { type: "string", minLength: 1, maxLength: 500 },
              rows: { type: "integer", minimum: 1, maximum: 50, default: 10 },
            },
            required: ["query"],
            additionalProperties: false,
          },
          example: { query: "attention is all you need" },
          request: { path: "/works", query: { "query.bibliographic": "{query}", rows: "{rows}" } },
          response: { pick: { total: "message.total-results", works: "message.items" } },
        },
      ],
    },
    {
      id: "hacker-news",
      name: "Hacker News",
      kind: "http",
      description: "Stories and comments of Hacker News.",
      domains: ["news.ycombinator.com"],
      cohorts: ["news"],
      attribution: "Hacker News by Algolia",
      rate: { perSecond: 2 },
      base: "https://hn.algolia.com/api/v1",
      capabilities: [
        {
          id: "search",
          description: "Stories that match search words, the most relevant first.",
          readOnly: true,
          options: {
            type: "object",
            properties: { query: { type: "string", minLength: 1, maxLength: 500 } },
            required: ["query"],
            additionalProperties: false,
          },
          example: { query: "web scraping" },
          request: { path: "/search", query: { query: "{query}", tags: "story" } },
          response: { pick: { total: "nbHits", stories: "hits" } },
        },
      ],
    },
  ] satisfies readonly (Shipped & Pick<ProvidersFile["providers"][number], "id" | "kind">)[],
};
