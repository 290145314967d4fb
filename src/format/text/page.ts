import type { LeadTime } from "../../model/check.ts";
import type { FixKind } from "../../model/commands.ts";

/** Where a page is read. `wide` is a terminal with everything that is known. */
export type Medium = "terminal" | "wide" | "markdown" | "html";

export const TERMINAL: readonly Medium[] = ["terminal", "wide"];
export const LINEAR: readonly Medium[] = [...TERMINAL, "markdown"];
export const SCREEN: readonly Medium[] = [...TERMINAL, "html"];
/** The media that show everything. */
export const FULL: readonly Medium[] = ["wide", "markdown", "html"];

export const TERMINAL_ONLY = { only: ["terminal"] } as const satisfies Shown;

/** The media that show a part of a page; without `only`, all of them. */
type Shown = { readonly only?: readonly Medium[] };

/** Plain text, or its parts. */
export type Text = string | readonly TextPart[];
/**
 * A text with names of others, a part that stands out, or words of our own, in which nothing has to be escaped. `foreign`: words of the
 * author of a check that is not preflight's, in which no command is looked for. `takes`: how long something takes, the longest with most
 * weight, since it has to begin first.
 */
export type TextPart =
  | string
  | { readonly code: string }
  | { readonly strong: string }
  | { readonly own: string }
  | { readonly foreign: string }
  | { readonly takes: LeadTime };

/** A command stands in quotation marks, in which what the shell quotes may hold some too; or alone in parentheses. */
const COMMAND =
  /"((?:oc|kubectl|preflight)(?: (?:'[^']*'|[^"'])+)?)"|(?<=\()((?:oc|kubectl) (?:-n|adm|describe|get|logs) [^()"]+)(?=\))/;

/** The commands of a text as code, and what is around them. */
export function splitCommands(text: string): readonly TextPart[] {
  return text.split(COMMAND).flatMap((part: string | undefined, i) => {
    if (part === undefined || part === "") return [];
    return i % 3 === 0 ? part : { code: part };
  });
}

/** `lead` is the text's first words, such as "Release image". */
export type Line = Shown & { readonly lead?: string; readonly text: Text };

/** `lead`: what the text is about, such as a check. `note`: what matters less. `commands`: how it is done, in a list of things to do. */
export type Item = {
  readonly lead?: string;
  readonly text: Text;
  readonly note?: string;
  readonly commands?: readonly string[];
};

/** A command to copy: to see a fault, or to remove it. */
export type ObjectCommand = {
  readonly text: string;
  /** Whose it is, if it is not preflight's own. */
  readonly origin?: string;
} & ({ readonly kind: "see" } | { readonly kind: "fix"; readonly fixKind?: FixKind });

/** An object with its faults. `ref` names it in full; `kind` and `name` do so beside others. */
export type ObjectEntry = {
  readonly ref: string;
  readonly kind: string;
  readonly name: string;
  readonly places: readonly { readonly path?: string; readonly message: string }[];
  readonly details: readonly string[];
  readonly commands: readonly ObjectCommand[];
  /** Where it stands in the files that were given, and who writes it again. */
  readonly files: readonly string[];
};

/** What a part of a page is about, as colours and ways to it show. */
export type Tone = "refused" | "notRecommended" | "stuck" | "broken" | "unknown" | "accepted";

/** Texts beside their labels, which are padded to `labelWidth`. */
export type Facts = Shown & {
  readonly kind: "facts";
  readonly heading?: string;
  readonly labelWidth: number;
  readonly rows: readonly (readonly [label: string, text: string])[];
};

/** Something to act on: what is wrong, with which objects, and what to do. */
export type Card = Shown & {
  readonly kind: "card";
  readonly title: string;
  readonly tone: Tone;
  /** A word or two beside the title: `badge` is about the work, `mark` about its state. */
  readonly badge?: string;
  /** Set if the badge says how long the work takes. */
  readonly takes?: LeadTime;
  readonly mark?: string;
  /** Why it was accepted. */
  readonly quotes?: readonly string[];
  readonly text?: Text;
  readonly objects?: readonly ObjectEntry[];
  /** Whether there are more objects than are known by name. */
  readonly isLimited?: boolean;
  readonly items?: readonly Item[];
  readonly remedy?: string;
  readonly url?: string;
  readonly facts?: readonly Facts[];
  /** Whose text it is, if it is not preflight's own. */
  readonly origin?: string;
  /** Set if it is a thing to do, and to tick off: the commands that no longer report it then, and that list all of it. */
  readonly task?: { readonly done: string; readonly list: string };
};

/** A title, sentences about it, and its parts: "+ a" has come, and "- a" is gone. `isStrong`: it stands out. */
export type PageEntry = {
  readonly title: string;
  /** Set if the page's overview leads to it by this name. */
  readonly name?: string;
  readonly isStrong?: boolean;
  readonly texts?: readonly string[];
  readonly points?: readonly string[];
};

/** A card in a few lines, for terminals: what is wrong, and what to do next. */
export type Brief = Shown & {
  readonly kind: "brief";
  readonly title: string;
  readonly tone: Tone;
  readonly text: string;
  readonly next: NextStep;
  /** Of the object that the next step is about. */
  readonly files: readonly string[];
  readonly url?: string;
};

/** A command to copy, or a sentence. `label`: "Fix", "Do". */
export type NextStep = { readonly label: string; readonly text: string; readonly isCommand: boolean };

/**
 * `tones`: what each row is about. `flexible`: a column that a terminal cuts so that the others fit: its texts stand in full elsewhere.
 * `linked`: a column with the titles of the page's cards, or the names of its entries.
 */
export type TableBlock = Shown & {
  readonly kind: "table";
  readonly head: readonly string[];
  readonly rows: readonly (readonly Text[])[];
  readonly tones?: readonly Tone[];
  readonly flexible?: number;
  readonly linked?: number;
};

/** Blocks that belong together: nothing is between them. `tone`: they stand out as one. */
export type Panel = Shown & {
  readonly kind: "panel";
  readonly heading?: string;
  readonly tone?: Tone;
  readonly blocks: readonly Block[];
};

export type Section = Shown & {
  readonly kind: "section";
  readonly heading: Text;
  /** Whether its heading is wrapped. */
  readonly isLong?: boolean;
  /** Set if it is one of the parts that the page consists of. */
  readonly tone?: Tone;
  /** Set if the page's overview leads to it by this name: a tone is one already. */
  readonly anchor?: string;
  /** Its lists say different things, of which nobody wants the number. */
  readonly isUncounted?: true;
  readonly blocks: readonly Block[];
};

export type Block =
  /** `isWhole`: it is never wrapped. `verdict`: it is the decision, and stands out. */
  | (Shown & { readonly kind: "text"; readonly text: Text; readonly isWhole?: boolean; readonly verdict?: PageVerdict })
  /** `isOrdered`: the items are numbered. `isToDo`: they are ticked off. */
  | (Shown & {
      readonly kind: "list";
      readonly isOrdered?: boolean;
      readonly isToDo?: boolean;
      readonly items: readonly Item[];
    })
  | (Shown & { readonly kind: "entries"; readonly entries: readonly PageEntry[] })
  | (Line & { readonly kind: "line" })
  /** `language`: of a file's text, which is no command. */
  | (Shown & { readonly kind: "commands"; readonly language?: "yaml"; readonly commands: readonly string[] })
  | TableBlock
  | Panel
  | (Shown & {
      readonly kind: "details";
      readonly summary: string;
      readonly isOpen: boolean;
      readonly blocks: readonly Block[];
    })
  | Facts
  | Card
  | Brief
  | Section;

export type PageVerdict = "risk" | "incomplete" | "nothing" | "clear";

/** What a page comes to; `basis`: what that rests on. */
export type PageDecision = {
  readonly kind: PageVerdict;
  readonly words: string;
  readonly basis: string;
};

/** A page as data: what is said, and nothing of how a medium shows it. */
export type Page = {
  /** What the page is about, in a word or two, or from where to where it leads. */
  readonly title: string | readonly [from: string, to: string];
  /** What is unusual about that. */
  readonly context?: string;
  readonly headline: Line;
  /** What the page is about, such as the cluster. */
  readonly lines: readonly Line[];
  /** When what it says was so: RFC 3339, UTC. */
  readonly observedAt?: string;
  readonly decision?: PageDecision;
  readonly blocks: readonly Block[];
};

export function toPlainLine({ lead, text }: Line): string {
  return `${lead === undefined ? "" : `${lead} `}${toPlainText(text)}`;
}

export function isShown({ only }: Shown, medium: Medium): boolean {
  return only?.includes(medium) ?? true;
}

/** A text without what makes parts of it stand out. */
export function toPlainText(text: Text): string {
  if (typeof text === "string") return text;
  return text.map((span) => (typeof span === "string" ? span : Object.values(span).join(""))).join("");
}

const KINDS: Readonly<Record<FixKind, string>> = { safe: "safe", disruptive: "disruptive", weakening: "weakens" };

/** "Fix (disruptive; from release 5.1.0)": what its commands do at worst, and whose they are. */
export function formatFixLabel(kind: FixKind | undefined, origin?: string): string {
  return formatLabel("Fix", kind && KINDS[kind], origin);
}

/** "See", "Do (from release 5.1.0)". */
export function formatLabel(word: string, kind: string | undefined, origin: string | undefined): string {
  const notes = [kind, origin && `from ${origin}`].filter((note) => note !== undefined);
  return notes.length === 0 ? word : `${word} (${notes.join("; ")})`;
}

export function formatCommandLabel(command: ObjectCommand): string {
  const { origin } = command;
  return command.kind === "see" ? formatLabel("See", undefined, origin) : formatFixLabel(command.fixKind, origin);
}

/** Those that show the fault come first. */
export function sortCommands(commands: readonly ObjectCommand[]): readonly ObjectCommand[] {
  return (["see", "fix"] as const).flatMap((kind) => commands.filter((command) => command.kind === kind));
}

/** Lines of a shell, with the label of what follows as a comment. */
export function listCommandLines(commands: readonly ObjectCommand[]): readonly string[] {
  const groups = [...Map.groupBy(sortCommands(commands), formatCommandLabel)];
  return groups.flatMap(([label, own]) => [`# ${label}`, ...own.map(({ text }) => text)]);
}
