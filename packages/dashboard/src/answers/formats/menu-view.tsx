import { plainly } from "../../format/foreign.ts";
import { count, plural } from "../../format/numbers.ts";
import { Badge } from "../../parts/badge.tsx";
import { priceText } from "./price.ts";
import type { MenuAnswer } from "./shapes.ts";

type Section = MenuAnswer["sections"][number];
type Item = Section["items"][number];

/** A menu as it would be printed. */
export function MenuView({ menu }: { readonly menu: MenuAnswer }) {
  const { merchant, sections, currency, confidence } = menu;
  const items = sections.reduce((sum, section) => sum + section.items.length, 0);
  const facts = [merchant.type, merchant.location, currency].filter((fact) => fact !== undefined);
  return (
    <article class="card-view menu-view">
      <header>
        <div class="grow">
          <h2 class="big foreign wrap">{plainly(merchant.name === "" ? "Menu" : merchant.name)}</h2>
          {facts.length > 0 && <span class="dim foreign wrap">{plainly(facts.join(" · "))}</span>}
        </div>
        <span class="faint">
          {`${plural(items, "item")} in ${plural(sections.length, "section")} · ${Math.round(confidence * 100)} % sure`}
        </span>
      </header>
      {sections.map((section) => (
        <SectionView key={section.id} section={section} />
      ))}
    </article>
  );
}

function SectionView({ section: { name, description, items } }: { readonly section: Section }) {
  return (
    <section>
      <h3 class="foreign wrap">{plainly(name === "" ? "Without a heading" : name)}</h3>
      {description !== undefined && <p class="help foreign wrap">{plainly(description)}</p>}
      <ul>
        {items.map((item) => (
          <ItemView key={item.id} item={item} />
        ))}
      </ul>
    </section>
  );
}

function ItemView({ item }: { readonly item: Item }) {
  const { name, price, description, dietary, calories, availability, optionGroups } = item;
  return (
    <li>
      <div class="menu-line">
        <b class="foreign">{plainly(name)}</b>
        <i aria-hidden="true" />
        <span class="num foreign">{price ? plainly(priceText(price)) : ""}</span>
      </div>
      {description !== undefined && <p class="help foreign wrap">{plainly(description)}</p>}
      {(dietary.length > 0 || calories !== undefined || !availability.inStock) && (
        <p class="row tight wrapping">
          {dietary.map((word) => (
            <span class="badge" key={word}>
              {plainly(word)}
            </span>
          ))}
          {calories !== undefined && <span class="faint">{`${count(calories)} kcal`}</span>}
          {!availability.inStock && <Badge tone="bad">{availability.text ?? "Not available"}</Badge>}
        </p>
      )}
      {optionGroups.map((group, index) => (
        <p class="faint foreign wrap" key={index}>
          {plainly(`${group.name}: ${group.options.map(optionText).join(", ")}`)}
        </p>
      ))}
    </li>
  );
}

function optionText({ name, price }: Item["optionGroups"][number]["options"][number]): string {
  return price ? `${name} ${priceText(price)}` : name;
}
