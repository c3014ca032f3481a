// liteparse as the scoring tool of documents asks for a parser: a file in, Markdown out.
import { LiteParse } from "@llamaindex/liteparse";

const parser = new LiteParse({ outputFormat: "markdown", ocrEnabled: false, quiet: true });

export default {
  async convert(file) {
    const { text } = await parser.parse(file);
    return { markdown: text };
  },
};
