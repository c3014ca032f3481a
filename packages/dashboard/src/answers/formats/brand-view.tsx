import type { ComponentChildren } from "preact";

import { plainly } from "../../format/foreign.ts";
import { copyText } from "../../parts/copy.tsx";
import { ForeignLink } from "../foreign-link.tsx";
import type { BrandAnswer } from "./shapes.ts";

/** Only what is surely a colour or a length becomes a style. */
const COLOUR = /^#[0-9a-f]{6}$/i;
const LENGTH = /^\d{1,4}(?:\.\d{1,4})?(?:px|rem|em|%)?$/;
const DATA_PICTURE = /^data:image\/(?:png|jpeg|gif|webp|svg\+xml)[;,]/i;

/** A page's look on one sheet: colours, letters, buttons, logo. */
export function BrandView({ brand }: { readonly brand: BrandAnswer }) {
  const { brandName, colorScheme, colors, typography, components, tone, personality } = brand;
  return (
    <article class="card-view brand-view">
      <header>
        <div class="grow">
          <h2 class="big foreign wrap">{plainly(brandName ?? "Brand")}</h2>
          <span class="dim">{`${colorScheme} colour scheme`}</span>
        </div>
        <Logo brand={brand} />
      </header>
      <Part title="Colours">
        <ul class="swatches">
          {named(colors).map(([name, colour]) => (
            <Swatch key={name} name={name} colour={String(colour)} />
          ))}
        </ul>
      </Part>
      <Part title="Typography">
        <Specimens typography={typography} />
      </Part>
      <Part title="Buttons">
        <div class="row wrapping">
          <ButtonSample name="Primary" button={components.buttonPrimary} />
          <ButtonSample name="Secondary" button={components.buttonSecondary} />
        </div>
      </Part>
      <Part title="Measures">
        <Measures brand={brand} />
      </Part>
      {(tone ?? personality) && (
        <Part title="Voice">
          <dl class="facts-row">
            {named({ ...tone, ...personality }).map(([name, value]) => (
              <Fact key={name} name={words(name)} value={value} />
            ))}
          </dl>
        </Part>
      )}
    </article>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function Logo({ brand: { logo, images } }: { readonly brand: BrandAnswer }) {
  const source = logo ?? images.logo;
  if (source === undefined) return null;
  if (DATA_PICTURE.test(source)) return <img class="logo" src={source} alt="Logo" />;
  return (
    <span>
      <span class="faint">Logo </span>
      <ForeignLink url={source} />
    </span>
  );
}

function Swatch({ name, colour }: { readonly name: string; readonly colour: string }) {
  if (!COLOUR.test(colour)) return null;
  return (
    <li>
      <button type="button" title={`Copy ${colour}`} onClick={() => void copyText(colour)}>
        <i style={{ backgroundColor: colour }} />
        <span>{words(name)}</span>
        <span class="mono">{colour}</span>
      </button>
    </li>
  );
}

const SAMPLE = "Quick lichens jump over grey slate";
const SIZES = ["h1", "h2", "h3", "body"] as const;

function Specimens({ typography }: { readonly typography: BrandAnswer["typography"] }) {
  const { fontFamilies, fontSizes, fontWeights } = typography;
  return (
    <>
      <dl class="facts-row">
        {named(fontFamilies).map(([name, family]) => (
          <Fact key={name} name={words(name)} value={family} />
        ))}
      </dl>
      <ul class="specimens">
        {SIZES.flatMap((name) => {
          const size = fontSizes[name];
          if (size === undefined) return [];
          const weight = name === "body" ? fontWeights.regular : (fontWeights.heading ?? fontWeights.bold);
          const fontSize = LENGTH.test(size) ? `min(${size}, 40px)` : undefined;
          return (
            <li key={name}>
              <span class="faint">{`${name} · ${plainly(size)}${weight === undefined ? "" : ` · ${weight}`}`}</span>
              <span
                class="cut"
                style={{
                  fontSize,
                  lineHeight: 1.25,
                  fontWeight: weight,
                  fontFamily: familyOf(fontFamilies, name),
                }}
              >
                {SAMPLE}
              </span>
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** Shown in its own letters where this machine has them: none are fetched. */
function familyOf({ primary, heading }: BrandAnswer["typography"]["fontFamilies"], size: string) {
  const family = size === "body" ? primary : (heading ?? primary);
  return family === undefined ? undefined : `${JSON.stringify(family)}, var(--sans)`;
}

interface ButtonSampleProps {
  readonly name: string;
  readonly button: BrandAnswer["components"]["buttonPrimary"];
}

function ButtonSample({ name, button }: ButtonSampleProps) {
  if (!button) return null;
  const { background, textColor, borderColor, borderRadius } = button;
  const style = {
    backgroundColor: colourOf(background),
    color: colourOf(textColor),
    borderColor: colourOf(borderColor) ?? "transparent",
    borderRadius: borderRadius !== undefined && LENGTH.test(borderRadius) ? borderRadius : undefined,
  };
  const facts = named(button).map(([part, value]) => `${words(part)} ${String(value)}`);
  return (
    <figure class="sample">
      <span class="sample-button" aria-hidden="true" style={style}>
        {name}
      </span>
      <figcaption class="faint foreign">{plainly(`${name}: ${facts.join(", ")}`)}</figcaption>
    </figure>
  );
}

function Measures({ brand: { spacing, layout, animations } }: { readonly brand: BrandAnswer }) {
  const { grid, ...heights } = layout ?? {};
  return (
    <dl class="facts-row">
      {named({ ...spacing, ...grid, ...heights, ...animations }).map(([name, value]) => (
        <Fact key={name} name={words(name)} value={value} />
      ))}
    </dl>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: unknown }) {
  return (
    <>
      <dt>{name}</dt>
      <dd class="foreign wrap">{plainly(String(value))}</dd>
    </>
  );
}

function colourOf(colour: string | undefined): string | undefined {
  return colour !== undefined && COLOUR.test(colour) ? colour : undefined;
}

function named(values: object): readonly (readonly [string, unknown])[] {
  return Object.entries(values).filter(([, value]) => value !== undefined);
}

/** `textPrimary` as `Text primary`. */
function words(name: string): string {
  const spaced = name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
