/** What GitHub and GitLab make of text that is no code: they look at it once backslashes and entities are gone. */
const LIVE = {
  address: /[a-z][a-z0-9+.-]*:\/\/|\bwww\.|\bmailto:/i,
  mention: /@[\w-]/,
  "reference to an issue": /#\w|\bGH-\d|\b[A-Z][A-Z0-9_]+-\d|GHSA-/,
  "reference of GitLab": /!\d|~["\w]|\$\w|%["\w]|&\d|\*iteration:|\[\w+:|\w-*>/,
  commit: /(?<!\w)[0-9a-f]{7,40}(?!\w)/,
  emoji: /:(?!\d\d:)[\w+-]+:/,
  tag: /<[a-z/!?]/i,
  "command of GitLab": /^\s*\/\w/m,
  inclusion: /^::include/m,
  insertion: /[{[][+-]/,
} as const;

/** What of a page GitHub or GitLab would make a link, a mention, a picture or a command of, apart from what is our own. */
export function findLive(markdown: string): readonly string[] {
  const text = removeCodeSpans(removeFences(markdown)).replaceAll(OWN_LINK, "");
  const decoded = decode(text);
  const links = MARKUP.test(text.replaceAll(ESCAPED, "")) ? ["link"] : [];
  return Object.entries(LIVE).reduce<readonly string[]>((all, [name, pattern]) => {
    const [found] = pattern.exec(decoded) ?? [];
    return found === undefined ? all : [...all, `${name} (${found})`];
  }, links);
}

/** What the parser itself looks for, before backslashes and entities are gone. */
const MARKUP = /\]\(|\]\[|!\[|^\s*\[[^\]]*\]:|<[a-z/!?]/im;
const ESCAPED = /\\[!-/:-@[-`{-~]/g;

const OWN_LINK = /\[More\]\(https:\/\/(?:docs\.example|example\.com|docs\.redhat\.com|kubernetes\.io)\/[\w./-]*\)/g;

function removeFences(markdown: string): string {
  return markdown.replaceAll(/^ *(`{3,})[a-z]*\n[^]*?^ *\1$/gm, "");
}

/** As CommonMark finds them: a run of backticks ends with the next one of the same length, and a backslash before it is none in it. */
function removeCodeSpans(markdown: string): string {
  return markdown.replaceAll(/\\[!-/:-@[-`{-~]|(?<!`)(`+)(?!`)([^]*?[^`])\1(?!`)/g, (found, fence?: string) =>
    fence === undefined ? found : " ",
  );
}

function decode(text: string): string {
  return text
    .replaceAll(ESCAPED, (found) => found.slice(1))
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&#96;", "`")
    .replaceAll("&#64;", "@")
    .replaceAll("&amp;", "&");
}
