import { type DocumentTools, noDocuments } from "../../fetch/file-kinds/document-tools.ts";
import type { ViewRequest } from "./views.ts";

/** What other processes have read of a document, by the tool that was asked. */
export type Readings = {
  -readonly [Name in keyof DocumentTools]?: Awaited<ReturnType<DocumentTools[Name]>>;
};

/** Notes what these tools read. */
export function noteReadings(tools: DocumentTools, readings: Readings): DocumentTools {
  return {
    readPdf: async (...order) => (readings.readPdf = await tools.readPdf(...order)),
    readOffice: async (...order) => (readings.readOffice = await tools.readOffice(...order)),
    readPicture: async (...order) => (readings.readPicture = await tools.readPicture(...order)),
  };
}

/** Gives again what has been read. */
export function givenReadings(readings: Readings): DocumentTools {
  const { readPdf, readOffice, readPicture } = readings;
  return {
    readPdf: readPdf ? () => Promise.resolve(readPdf) : noDocuments.readPdf,
    readOffice: readOffice ? () => Promise.resolve(readOffice) : noDocuments.readOffice,
    readPicture: readPicture ? () => Promise.resolve(readPicture) : noDocuments.readPicture,
  };
}

export function charactersIn(readings: Readings): number {
  return Math.max(0, ...Object.values(readings).map(({ markdown }) => markdown.length));
}

/** Views that need the layout, whose many small parts take long to send. */
const LAID_OUT: ReadonlySet<string> = new Set(["citations", "document", "retrievalChunks", "textCitations"]);

/** What these views need. */
export function readingsFor(requests: readonly ViewRequest[], readings: Readings): Readings {
  const { readPdf } = readings;
  if (!readPdf || requests.some(({ view }) => LAID_OUT.has(view))) return readings;
  return { readPdf: { ...readPdf, pages: [], blocks: [] } };
}
