/** How pages are looked at, in both themes: on a screen and on a phone. */
export const SIZES = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
] as const;
