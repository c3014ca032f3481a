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
