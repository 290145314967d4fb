import type { Settings, ValuesOf } from "./command.ts";
import { liftedShownSettings, unknownRiskSettings } from "./shared-settings.ts";

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
    prefix: { word: "configmaps=", form: "configmaps=NAMESPACE/KEY=VALUE" },
    default: "payload",
    describe:
      "Who else may bring checks: the target release (payload), installed operators, or ConfigMaps of a namespace that you trust, with the label preflight.openshift.io/checks and these labels (separated by commas)",
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

/** Of commands that look for no file. */
export const namedConfigSettings = {
  config: {
    env: "PREFLIGHT_CONFIG",
    group: "output",
    isRepeated: true,
    placeholder: "FILE",
    type: "config",
    describe: "File with accepted risks and defaults of settings",
    defaultText: "none",
  },
} as const satisfies Settings;

export const configSettings = {
  config: {
    ...namedConfigSettings.config,
    foundFile: ".preflight.yaml",
    describe: "File with accepted risks and defaults of settings; --no-config looks for none",
    defaultText:
      ".preflight.yaml of the current folder, if it exists: it may accept risks, and set time limits and how much runs at a time",
  },
} as const satisfies Settings;

/** A file that was only found may give a check more time, but not so little that it sees nothing. */
export const readLimitSettings = {
  "check-timeout": {
    env: "PREFLIGHT_CHECK_TIMEOUT",
    group: "limits",
    isRepeated: true,
    type: "duration",
    default: "1m",
    foundRange: ["1m", "10m"],
    describe: "How long a read may receive nothing, or a check compute; the check is then unknown",
  },
  "cycle-timeout": {
    env: "PREFLIGHT_CYCLE_TIMEOUT",
    group: "limits",
    isRepeated: true,
    type: "duration",
    default: "5m",
    foundRange: ["5m", "1h"],
    describe: "Time limit for all reads of a cycle together, however much they receive",
  },
  concurrency: {
    env: "PREFLIGHT_CONCURRENCY",
    group: "limits",
    isRepeated: false,
    type: "number",
    default: 16,
    range: [1, 32],
    describe: "Most reads at a time, from 1 to 32; fewer while the API server is slow or refuses any",
  },
} as const satisfies Settings;

export type ReadLimitValues = ValuesOf<typeof readLimitSettings>;

/** What a cycle judges, within which limits, and the file with their defaults. */
export const judgingSettings = {
  ...selectionSettings,
  ...unknownRiskSettings,
  ...liftedShownSettings,
  ...readLimitSettings,
  ...configSettings,
} as const satisfies Settings;
