import type { Candidate } from "./candidate.ts";
import type { Concept } from "./concepts.ts";
import type { PageParts } from "./page-parts.ts";

/** What names in the head of a page say of it: one line per concept, how reliable, and names in order of preference. */
const TOLD: readonly (readonly [concept: Concept, weight: number, names: readonly string[]])[] = [
  [
    "author",
    0.8,
    [
      "author",
      "article:author",
      "dc.creator",
      "parsely-author",
      "sailthru.author",
      "citation_author",
      "book:author",
    ],
  ],
  [
    "published",
    0.88,
    [
      "article:published_time",
      "datepublished",
      "dc.date",
      "parsely-pub-date",
      "sailthru.date",
      "citation_publication_date",
      "date",
      "book:release_date",
    ],
  ],
  ["modified", 0.88, ["article:modified_time", "og:updated_time", "last-modified"]],
  ["description", 0.8, ["og:description", "description", "twitter:description", "dc.description"]],
  ["image", 0.8, ["og:image:secure_url", "og:image", "twitter:image", "twitter:image:src"]],
  ["siteName", 0.9, ["og:site_name", "application-name"]],
  ["language", 0.85, ["language", "og:locale"]],
  ["category", 0.7, ["article:section", "product:category"]],
  ["isbn", 0.85, ["book:isbn", "citation_isbn", "og:isbn"]],
  ["publisher", 0.8, ["citation_publisher", "dc.publisher"]],
  ["brand", 0.8, ["product:brand", "og:brand"]],
];

/** What the head of a page says about it. */
export function metaCandidates({ evidence, url }: PageParts): readonly Candidate[] {
  const told = TOLD.flatMap(([concept, weight, names]): readonly Candidate[] => {
    const value = evidence.meta(...names);
    if (value === undefined || (concept === "author" && /^https?:/.test(value))) return [];
    return [{ label: [concept], concept, values: [value], weight, node: -1 }];
  });
  const keywords = evidence.meta("keywords", "news_keywords", "article:tag");
  const tags =
    keywords
      ?.split(",")
      .map((tag) => tag.trim())
      .filter((tag) => tag !== "") ?? [];
  const page: Candidate = {
    label: ["url"],
    concept: "url",
    values: [evidence.meta("og:url") ?? url],
    weight: 0.9,
    node: -1,
  };
  return [
    ...told,
    page,
    ...(tags.length > 0
      ? [{ label: ["keyword"], concept: "tag" as const, values: tags, weight: 0.7, node: -1 }]
      : []),
  ];
}
