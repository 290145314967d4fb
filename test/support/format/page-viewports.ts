/** How pages are looked at: on a screen and on a phone, in both themes. */
export const SIZES = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
] as const;
export const THEMES = ["light", "dark"] as const;
