/** Models take images up to 5 MB as base64, which is a third longer than the bytes. */
export const MAX_IMAGE_BYTES = 3_700_000;

/** Part of a result. Models read the text and look at the images. */
export type Content =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: string; readonly mimeType: string }
  | {
      readonly type: "resource_link";
      readonly uri: string;
      readonly name: string;
      readonly description: string;
      readonly mimeType: string;
    };
