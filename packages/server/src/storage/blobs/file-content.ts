/** File types that responses link to, with their file name extensions. */
export const FILE_EXTENSIONS = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "application/pdf": "pdf",
  "audio/mpeg": "mp3",
  "audio/mp4": "m4a",
  "audio/aac": "aac",
  "audio/ogg": "ogg",
  "audio/flac": "flac",
  "audio/wav": "wav",
  "video/mp4": "mp4",
  "video/webm": "webm",
  "video/mp2t": "ts",
  "video/ogg": "ogv",
} as const;

export type FileType = keyof typeof FILE_EXTENSIONS;

/** Download a file linked in a response, such as a screenshot. */
export interface FileContent {
  readonly bytes: Uint8Array;
  readonly contentType: FileType;
}
