import type { FormatName } from "../../src/format/index.ts";

/** What a report holds, in the order in which a person asks for it. */
export const FACTS = [
  "decision",
  "source version",
  "target version",
  "image",
  "signature",
  "cluster's id",
  "context",
  "offer",
  "time of the reads",
  "version of preflight",
  "risk's name",
  "effect",
  "lead time",
  "title",
  "description",
  "remedy",
  "url",
  "published names",
  "certainty",
  "check",
  "objects",
  "number of omitted findings",
  "path",
  "message",
  "details",
  "see",
  "fix",
  "owners",
  "place in a file",
  "what the file makes of the fault",
  "object without a file",
  "file that was not read",
  "faults of files alone",
  "objects of files that were not judged",
  "accepted risk",
  "acceptance's reason",
  "lapsed acceptance",
  "incomplete check",
  "unknown's place",
  "unknown's cause",
  "unknown beside a check's risks",
  "accept name",
  "grant command",
  "check left out for a reason",
  "notices",
  "check of others",
  "digest of a check of others",
  "number of objects judged",
  "reason why a check does not apply",
  "clear check",
  "coverage",
] as const;

export type Fact = (typeof FACTS)[number];

/** Facts that a format does not show, and why not. */
export type Omission = { readonly facts: readonly Fact[]; readonly because: string };

const FOR_PROGRAMS: readonly Omission[] = [
  { facts: ["decision"], because: "the exit code says it" },
  { facts: ["certainty"], because: "`preflight explain RISK` says it" },
  { facts: ["grant command"], because: "`preflight rbac` prints the rights" },
];

const ONLY_IN_JSON: readonly Omission[] = [
  { facts: ["number of omitted findings"], because: "the description counts all objects" },
  { facts: ["digest of a check of others"], because: "`json` has it" },
];

const ON_A_TERMINAL: readonly Omission[] = [
  { facts: ["time of the reads", "version of preflight"], because: "it is read when it is printed" },
  { facts: ["title"], because: "the description says it of the objects" },
  { facts: ["lapsed acceptance"], because: "stderr has it" },
  { facts: ["reason why a check does not apply", "clear check"], because: "they are only counted" },
  ...ONLY_IN_JSON,
];

/** What is said of the files that --manifests names, besides the place of a finding's object. */
const OF_FILES = [
  "what the file makes of the fault",
  "object without a file",
  "file that was not read",
  "faults of files alone",
  "objects of files that were not judged",
] as const satisfies readonly Fact[];

/** What formats of single findings leave to `json`. */
const ABOUT_THE_WHOLE: readonly Fact[] = [
  "image",
  "signature",
  "context",
  "offer",
  "published names",
  "certainty",
  "number of omitted findings",
  "details",
  "lapsed acceptance",
  "grant command",
  "check of others",
  "digest of a check of others",
  "number of objects judged",
  "coverage",
  ...OF_FILES,
];

/** By format; the rest is shown. */
export const OMISSIONS: Readonly<Record<FormatName, readonly Omission[]>> = {
  table: [
    ...ON_A_TERMINAL,
    { facts: ["remedy", "see"], because: "each risk has one next step: a fix, or else the remedy" },
    { facts: ["notices"], because: "they are counted where there is work to do" },
    {
      facts: ["url", "published names", "certainty", "check", "path", "message", "details", "owners"],
      because: "the first screen has every risk in a few lines; `wide` has them",
    },
  ],
  wide: ON_A_TERMINAL,
  json: FOR_PROGRAMS,
  yaml: FOR_PROGRAMS,
  markdown: [
    { facts: ["title"], because: "the description says it of the objects" },
    {
      facts: [
        "image",
        "signature",
        "time of the reads",
        "version of preflight",
        "published names",
        "certainty",
        "details",
        "owners",
        "reason why a check does not apply",
        "clear check",
        "coverage",
      ],
      because: "a comment has what there is to do; `html` and `json` have the rest",
    },
    ...ONLY_IN_JSON,
  ],
  html: [
    { facts: ["title"], because: "the description says it of the objects" },
    { facts: ["details"], because: "`wide` and `json` have them" },
    ...ONLY_IN_JSON,
  ],
  csv: [
    { facts: ["title", "description"], because: "each line has the message of its object" },
    {
      facts: [
        ...ABOUT_THE_WHOLE,
        "place in a file",
        "decision",
        "source version",
        "cluster's id",
        "time of the reads",
        "version of preflight",
        "notices",
        "reason why a check does not apply",
        "clear check",
      ],
      because: "a line is a finding or an incomplete check; `json` has the rest",
    },
  ],
  junit: [
    { facts: ["decision"], because: "the exit code says it" },
    {
      facts: [
        ...ABOUT_THE_WHOLE,
        "place in a file",
        "cluster's id",
        "version of preflight",
        "effect",
        "lead time",
        "title",
        "owners",
      ],
      because: "a test case is a check with its failures; `json` has the rest",
    },
  ],
  sarif: [
    { facts: ["decision"], because: "the exit code says it" },
    { facts: ["effect"], because: "the level follows from it" },
    {
      facts: [
        ...ABOUT_THE_WHOLE,
        "source version",
        "time of the reads",
        "lead time",
        "check",
        "see",
        "owners",
        "notices",
        "reason why a check does not apply",
        "clear check",
      ],
      because: "a result is a risk on an object; `json` has the rest",
    },
  ],
  github: [
    { facts: ["decision"], because: "the exit code says it" },
    { facts: ["effect"], because: "the level follows from it" },
    {
      facts: [
        ...ABOUT_THE_WHOLE,
        "place in a file",
        "source version",
        "cluster's id",
        "time of the reads",
        "version of preflight",
        "lead time",
        "title",
        "check",
        "objects",
        "path",
        "message",
        "see",
        "fix",
        "owners",
        "notices",
        "reason why a check does not apply",
        "clear check",
      ],
      because: "an annotation is a sentence; the job summary is `markdown`",
    },
  ],
  readiness: [
    { facts: ["title"], because: "the description says it of the objects" },
    { facts: ["offer"], because: "the page shows it of each update itself" },
    {
      facts: [
        "image",
        "signature",
        "certainty",
        "number of omitted findings",
        "details",
        "lapsed acceptance",
        "digest of a check of others",
        "coverage",
        "place in a file",
        ...OF_FILES,
      ],
      because: "its components have no place for them; `json` has them",
    },
    {
      facts: ["reason why a check does not apply"],
      because: "its four states have no word for it, and a check that did not run has not passed",
    },
  ],
  quiet: [
    {
      facts: FACTS.filter((fact) => fact !== "risk's name" && fact !== "accept name"),
      because: "a script asks for nothing but names",
    },
  ],
  "preflight-v1-json": [
    {
      facts: [
        "decision",
        "signature",
        "context",
        "offer",
        "effect",
        "lead time",
        "title",
        "published names",
        "certainty",
        "objects",
        "number of omitted findings",
        "path",
        "message",
        "details",
        "see",
        "fix",
        "owners",
        "acceptance's reason",
        "lapsed acceptance",
        "grant command",
        "clear check",
        "coverage",
        "place in a file",
        ...OF_FILES,
      ],
      because: "its schema has no place for them; `json` has them",
    },
  ],
};
