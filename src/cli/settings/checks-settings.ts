import type { Settings, ValuesOf } from "./command.ts";

export const checksSettings = {
  checks: {
    env: "PREFLIGHT_CHECKS",
    group: "checks",
    isRepeated: true,
    placeholder: "FILE|DIR",
    type: "list",
    describe:
      "Files with checks of your own, or folders of them (PreflightCheck, separated by commas): they run beside the built-in checks; also artefacts of 'preflight checks pack' (FILE, DIR or oci://HOST/REPOSITORY@sha256:...)",
  },
  "known-bugs": {
    env: "PREFLIGHT_KNOWN_BUGS",
    group: "checks",
    isRepeated: true,
    placeholder: "FILE|DIR",
    describe:
      "A newer list of known bugs, instead of the built-in one: YAML, or an artefact of 'preflight checks pack' (FILE, DIR or oci://HOST/REPOSITORY@sha256:...)",
  },
  "known-bugs-older": {
    env: "PREFLIGHT_KNOWN_BUGS_OLDER",
    group: "checks",
    isRepeated: true,
    type: "boolean",
    default: false,
    describe: "Use the list of --known-bugs even if it is older than the built-in one",
  },
} as const satisfies Settings;

/** Of commands that read a target or a cluster. */
export const foundChecksSettings = {
  "checks-from": {
    env: "PREFLIGHT_CHECKS_FROM",
    group: "checks",
    isRepeated: true,
    placeholder: "SOURCE",
    type: "list",
    choices: ["payload", "operators"],
    default: "payload",
    describe: "Who else may bring checks: the target release (payload), installed operators (separated by commas)",
  },
} as const satisfies Settings;

export type ChecksValues = ValuesOf<typeof checksSettings> & Partial<ValuesOf<typeof foundChecksSettings>>;

export const selectionSettings = {
  ...checksSettings,
  ...foundChecksSettings,
  only: {
    env: "PREFLIGHT_ONLY",
    group: "checks",
    isRepeated: true,
    placeholder: "CHECK",
    type: "list",
    describe: "Run only these checks (ids, separated by commas); without the others, the result is not complete",
  },
  skip: {
    env: "PREFLIGHT_SKIP",
    group: "checks",
    isRepeated: true,
    placeholder: "CHECK",
    type: "list",
    describe: "Do not run these checks (ids, separated by commas); without them, the result is not complete",
  },
} as const satisfies Settings;

export type SelectionValues = ValuesOf<typeof selectionSettings>;
