import type { FixKind } from "../../model/commands.ts";
import { judgeHarm } from "../../model/fix-kind.ts";
import { findNearestName } from "../../model/text.ts";
import { VALUE, type Word, type WordFault, splitWords } from "./shell-words.ts";

/** What an administrator's own command may not do: run another program, or reach another cluster, or as somebody else. */
export function findWordFault(run: string, programs: readonly string[]): WordFault | undefined {
  const [program, ...others] = splitWords(run);
  if (program === undefined) return at({ start: 0, end: run.length }, "it has no words", "leave it out");
  if (!programs.includes(program.text)) return judgeProgram(program, programs);
  const [option] = others.flatMap((word) => findOptionFault(word) ?? []);
  return option ?? (CLIENT.test(program.text) ? findVerbFault(others, program) : undefined);
}

const CLIENT = /^(?:oc|kubectl)$/;

function at({ start, end }: Omit<Word, "text">, message: string, hint: string): WordFault {
  return { message, hint, span: { start, end } };
}

function judgeProgram(program: Word, programs: readonly string[]): WordFault {
  const hint = `begin it with ${programs.join(" or ")}, or list the program in the file of --config (programs: [...])`;
  if (program.text.includes(VALUE)) return at(program, "a value can't be the program", hint);
  return at(program, "it is not a program that commands of checks may run", hint);
}

/** Options of oc and kubectl, and of programs that are made like them, by which another cluster or another user is reached. */
const FOREIGN =
  /^(?:--(?:kubeconfig|server|token|as|as-group|as-uid|as-user-extra|context|kube-context|kube-apiserver|kube-token|kube-as-user|kube-as-group|cluster|user|username|password|client-certificate|client-key|certificate-authority|insecure-skip-tls-verify|tls-server-name|proxy-url)(?:=|$)|-[ARqwhitp]*s)/;

function findOptionFault(word: Word): WordFault | undefined {
  if (FOREIGN.test(word.text)) return at(word, STAYS, "leave it out");
  if (word.text === "--")
    return at(word, "what comes after it is another program's", "say in the remediation what to do there");
  return /^-[^=]*\uFFFC/.test(word.text)
    ? at(word, "a value can't be an option", "write the option, and the value after =")
    : undefined;
}

const STAYS = "a command of a check stays on the cluster and the user that are chosen already";

/** What oc and kubectl do themselves and only show. */
const READING = "api-resources api-versions describe diff events explain get logs status version wait".split(" ");
/** The others. Any other word is the name of a plugin, or begins a program in a container. */
const WRITING =
  "adm annotate apply auth autoscale certificate cordon create delete drain edit expose extract image import-image label patch policy replace rollback rollout scale set start-build tag taint top uncordon".split(
    " ",
  );
/** Those whose next word says what they do. */
const GROUPS = ["adm", "auth", "certificate", "create", "image", "policy", "rollout", "set"];

/** From the verb on. */
function skipNamespace(words: readonly Word[]): readonly Word[] {
  const [first] = words;
  if (first === undefined || !/^(?:-n|--namespace(?:=|$))/.test(first.text)) return words;
  return words.slice(/^(?:-n|--namespace)$/.test(first.text) ? 2 : 1);
}

function findVerbFault(words: readonly Word[], program: Word): WordFault | undefined {
  const [verb, next] = skipNamespace(words);
  if (verb === undefined)
    return at(words.at(-1) ?? program, "it has no verb", "write what is to be done: get, patch, ...");
  if (!READING.includes(verb.text) && !WRITING.includes(verb.text)) return judgeVerb(verb);
  if (GROUPS.includes(verb.text) && next?.text.includes(VALUE) === true) return judgeVerb(next);
  if (verb.text === "create" && next?.text === "token")
    return at(next, "a token lets others act as its user", "leave it out");
  const image = verb.text === "adm" && words.find(({ text }) => /^--image(?:-stream)?(?:=|$)/.test(text));
  if (image) return at(image, "it would run another program", "say in the remediation what to do there");
  const remote = words.find((word, i) => isRemoteFile(word, words[i - 1]));
  const hint = "write <file>, and in the remediation where it is from";
  return remote && at(remote, "nobody has read what stands there when the command runs", hint);
}

function judgeVerb(verb: Word): WordFault {
  if (verb.text.startsWith("-"))
    return at(verb, "before the verb only -n NAMESPACE may stand", "write the verb first, and options after it");
  if (verb.text.includes(VALUE)) return at(verb, "a value can't be the verb", "write the verb: get, patch, ...");
  if (/^(?:login|logout|config|project|new-project)$/.test(verb.text)) return at(verb, STAYS, "leave it out");
  const nearest = findNearestName(verb.text, [...READING, ...WRITING]);
  const hint = nearest === undefined ? "say in the remediation what to do" : `did you mean ${nearest}?`;
  return at(verb, `${verb.text} would run another program, or is no verb`, hint);
}

/** Kustomize takes hosts that it knows, and repositories, without a scheme. */
const REMOTE = /^\w+:\/\/|^\w+::|^[\w.-]+@|^(?:www\.)?(?:github|gitlab|bitbucket)\.|\.git\b|\?ref=|\uFFFC/;

function isRemoteFile({ text }: Word, before: Word | undefined): boolean {
  const file = /^(?:-[A-Za-z]*[fk]=?|--filename=|--kustomize=)(.+)$/.exec(text)?.[1];
  const isFile = /^(?:-[A-Za-z]*[fk]|--filename|--kustomize)$/.test(before?.text ?? "");
  return REMOTE.test(file ?? (isFile ? text : ""));
}

/** What a command in words does at worst, as far as they say it. */
export function judgeWords(run: string): FixKind {
  const [program, ...others] = splitWords(run);
  const words = skipNamespace(others).map(({ text }) => text);
  const isReading = CLIENT.test(program?.text ?? "") && READING.includes(words[0] ?? "");
  const keys = words.flatMap((word) => [...word.matchAll(/[\w./-]+/g)].map(([key]) => key));
  return judgeHarm(isReading ? "get" : "edit", words.includes("policy") ? "Policy" : "", keys);
}
