/** A Go duration, such as "5m0s". After "=" it is a quantity or a setting. */
const DURATION = String.raw`(?<![\w.=])(?:\d+(?:\.\d+)?(?:ns|us|\u00b5s|ms|[smh]))+\b`;
const IPV4 = String.raw`\d{1,3}(?:\.\d{1,3}){3}`;
const IPV6 = String.raw`\[[\da-fA-F]*:[\da-fA-F:.]*(?:%\w+)?\]`;

/** What differs each time that one failure is reported, and helps nobody: the host of a URL or of an image is none of it. */
const CHANGING: readonly RegExp[] = [
  /\d{4}[-/]\d{2}[-/]\d{2}[T ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?: ?(?:Z|[+-]\d{2}:?\d{2}))?(?: [A-Z]{3,4})?(?: m=[+-][\d.]+)?/g,
  /\b[IWEF]\d{4} \d{2}:\d{2}:\d{2}\.\d+ +\d+/g,
  /\b\d{2}:\d{2}:\d{2}(?:\.\d+)?\b/g,
  /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi,
  /\b0x[\da-f]{6,}\b/g,
  new RegExp(String.raw`(?<![\w./@])(?:${IPV4}|${IPV6})(?::\d+|(?!:\d))(?![\w/])(?!\.\w)`, "g"),
  new RegExp(DURATION, "g"),
  /(?<=\b(?:attempt|retry|try|pid|process|goroutine)[ =:#]{1,2})\d+(?:\/\d+)?\b/gi,
  /(?<=\()x\d+(?= )/g,
];

/** The text with "…" for times, addresses, ports, counters and the like, so that the same failure has the same text. */
export function toStableText(text: string): string {
  return CHANGING.reduce((rest, pattern) => rest.replaceAll(pattern, "…"), text);
}
