const FILES_WITHOUT_TEXT = new Set(
  (
    "png jpg jpeg gif svg ico webp avif bmp tiff css js mjs json map woff woff2 ttf otf eot zip gz tar rar 7z exe dmg " +
    "iso apk mp3 mp4 m4a wav ogg avi mov mkv webm flv swf inc"
  ).split(" "),
);

/** Whether the extension of a URL's path names a kind of file that crawls leave out: pictures, styles, archives, films. */
export function isFileWithoutText({ pathname }: URL): boolean {
  const name = pathname.slice(pathname.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot >= 0 && FILES_WITHOUT_TEXT.has(name.slice(dot + 1).toLowerCase());
}
