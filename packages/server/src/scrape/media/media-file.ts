import { ownProperty } from "@pergamon-dev/kit/own-property";
import type { FileContent, FileType } from "../../storage/blobs/file-content.ts";

/** Kinds of media: how to detect them, their types in answers, and their names in ffmpeg. */
const KINDS: Readonly<Record<string, { readonly contentType: FileType; readonly demuxer: string }>> = {
  "audio/mpeg": { contentType: "audio/mpeg", demuxer: "mp3" },
  "audio/mp4": { contentType: "audio/mp4", demuxer: "mov" },
  "audio/x-m4a": { contentType: "audio/mp4", demuxer: "mov" },
  "audio/aac": { contentType: "audio/aac", demuxer: "aac" },
  "audio/ogg": { contentType: "audio/ogg", demuxer: "ogg" },
  "audio/opus": { contentType: "audio/ogg", demuxer: "ogg" },
  "audio/flac": { contentType: "audio/flac", demuxer: "flac" },
  "audio/x-flac": { contentType: "audio/flac", demuxer: "flac" },
  "audio/wav": { contentType: "audio/wav", demuxer: "wav" },
  "video/mp4": { contentType: "video/mp4", demuxer: "mov" },
  "video/quicktime": { contentType: "video/mp4", demuxer: "mov" },
  "video/x-m4v": { contentType: "video/mp4", demuxer: "mov" },
  "video/iso.segment": { contentType: "video/mp4", demuxer: "mov" },
  "video/webm": { contentType: "video/webm", demuxer: "matroska" },
  "video/matroska": { contentType: "video/webm", demuxer: "matroska" },
  "video/mp2t": { contentType: "video/mp2t", demuxer: "mpegts" },
  "video/ogg": { contentType: "video/ogg", demuxer: "ogg" },
};

/** Media that its bytes identify. */
export interface MediaFile extends FileContent {
  readonly demuxer: string;
}

/**
 * Detects media by the bytes alone. Undefined for anything else, such as a page or a playlist that claims to
 * be a video.
 */
export async function mediaFileOf(bytes: Uint8Array): Promise<MediaFile | undefined> {
  const { fileTypeFromBuffer } = await import("file-type");
  const mime = (await fileTypeFromBuffer(bytes))?.mime.split(";", 1)[0] ?? "";
  const kind = ownProperty(KINDS, mime) ?? (isTransportStream(bytes) ? KINDS["video/mp2t"] : undefined);
  return kind && { bytes, ...kind };
}

export function isAudio({ contentType }: FileContent): boolean {
  return contentType.startsWith("audio/");
}

const PACKET_BYTES = 188;
const SYNC = 0x47;

/** Short streams have fewer packets than the detection of libraries requires. */
function isTransportStream(bytes: Uint8Array): boolean {
  return bytes.byteLength >= PACKET_BYTES * 2 && bytes[0] === SYNC && bytes[PACKET_BYTES] === SYNC;
}
