/** Browsers show the file as an image of the dashboard. These headers keep it from running anything. */
export const pictureHeaders = {
  "content-security-policy": "default-src 'none'",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
};
