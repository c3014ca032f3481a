/** What a page made is shown as a picture of the dashboard, and does nothing else. */
export const pictureHeaders = {
  "content-security-policy": "default-src 'none'",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
};
