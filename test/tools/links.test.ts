import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";

const ROOT = join(import.meta.dirname, "..", "..");

/** Markdown links and pictures; examples in code are none. */
const LINK = /!?\[[^\]]*\]\(([^)\s]+)\)/g;

function listPages(): readonly string[] {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  return listed.split("\n").filter((file) => file !== "" && existsSync(join(ROOT, file)));
}

/** A heading's anchor, as GitHub makes it. */
function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
}

function listAnchors(page: string): ReadonlySet<string> {
  const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => toAnchor(heading));
  const explicit = [...page.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, id = ""]) => id);
  return new Set([...headings, ...explicit]);
}

function findProblem(page: string, link: string): string | undefined {
  const [path = "", anchor] = link.split("#");
  const file = path === "" ? join(ROOT, page) : join(ROOT, dirname(page), decodeURIComponent(path));
  if (!existsSync(file)) return `${page}: ${link} does not exist`;
  if (anchor === undefined || !file.endsWith(".md")) return undefined;
  return listAnchors(readFileSync(file, "utf8")).has(anchor) ? undefined : `${page}: ${link} has no such heading`;
}

test("every link within the project leads to a file and its heading", () => {
  const problems = listPages().flatMap((page) => {
    const text = readFileSync(join(ROOT, page), "utf8").replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, "");
    const links = [...text.matchAll(LINK)].map(([, link = ""]) => link).filter((link) => !/^[a-z]+:/.test(link));
    return links.flatMap((link) => findProblem(page, link) ?? []);
  });
  assert.deepEqual(problems, []);
});

test("links to other sites are https", () => {
  const insecure = listPages().flatMap((page) =>
    [...readFileSync(join(ROOT, page), "utf8").matchAll(LINK)].flatMap(([, link = ""]) =>
      link.startsWith("http://") ? [`${page}: ${link}`] : [],
    ),
  );
  assert.deepEqual(insecure, []);
});
