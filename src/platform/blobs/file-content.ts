/** The types of files that answers link to, and how the names of such files end. */
export const FILE_EXTENSIONS = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "application/pdf": "pdf",
} as const;

export type FileType = keyof typeof FILE_EXTENSIONS;

/** A file that an answer links to, such as a screenshot. */
export interface FileContent {
  readonly bytes: Uint8Array;
  readonly contentType: FileType;
}
