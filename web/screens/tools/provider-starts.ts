/** What a provider's entry begins with, by its kind. */
export const STARTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "MCP server": {
    kind: "mcp",
    id: "library-mcp",
    name: "Library",
    description: "Books and their shelves.",
    url: "https://library.example/mcp",
    headers: { authorization: { $secret: "LIBRARY_KEY" } },
  },
  "OpenAPI document": {
    kind: "openapi",
    id: "library-api",
    name: "Library",
    description: "Books and their shelves.",
    document: "https://library.example/openapi.json",
    security: { apiKey: { $secret: "LIBRARY_KEY" } },
  },
  "HTTP request": {
    kind: "http",
    id: "library",
    name: "Library",
    description: "Books and their shelves.",
    base: "https://library.example",
    capabilities: [
      {
        id: "find-book",
        description: "Finds books by a word of the title.",
        readOnly: true,
        options: { type: "object", properties: { word: { type: "string" } }, required: ["word"] },
        request: { path: "/books", query: { q: "{word}" } },
      },
    ],
  },
};
