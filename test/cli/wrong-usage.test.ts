import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runPreflight } from "../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";
import { buildStatus, serve } from "../support/cluster/mock-server.ts";
import { writeServerKubeconfig } from "../../verify/api-server/kubeconfig.ts";

const TARGET = "--target demo/release";
const DEMO = `--recorded demo ${TARGET}`;

const folder = createTemporaryFolder();
const write = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const noContext = write("no-context", "{clusters: [], contexts: [], users: []}");
const noKubeconfig = write("no-kubeconfig", "nonsense");
const otherContext = writeServerKubeconfig(folder, "https://127.0.0.1:1");

/** What is wrong, and what the one line says: the next step is part of it. */
const WRONG: readonly (readonly [words: string, said: RegExp])[] = [
  ["chekc", /^unknown command "chekc": did you mean check\?; see 'preflight --help'$/],
  ["checks lnit", /^unknown command "checks lnit": did you mean lint\?; see 'preflight help checks'$/],
  ["checks", /^name what to do: new, lint, .*; see 'preflight help checks'$/],
  ["help chekc", /did you mean check\?/],
  [`check --taget x`, /^unknown option --taget: did you mean --target\?; see 'preflight help check'$/],
  [`check -x ${DEMO}`, /^unknown option -x; see 'preflight help check'$/],
  [`check ${DEMO} extra`, /^unexpected argument "extra"; see 'preflight help check'$/],
  ["check --to", /^--to needs a value: write --to VERSION; see 'preflight help check'$/],
  [`check --accept ${DEMO}`, /^--accept needs a value: write --accept RISK; see /],
  [`check -o ${DEMO}`, /^--output needs a value: write --output FORMAT\[=FILE\]; see /],
  ["rbac --bind-to", /^--bind-to needs a value: write --bind-to [A-Z:|]+; see 'preflight help rbac'$/],
  ["--interval", /^--interval needs a value: write --interval DURATION; see 'preflight help runner'$/],
  ["check --to 4.2x --recorded demo", /^--to "4\.2x" is not a version: use a form such as 4\.20\.8, 4\.20 or latest$/],
  [`check --fail-on error ${DEMO}`, /^--fail-on "error" is not known: choose one of never, risk, incomplete$/],
  [`check --fail-on rsik ${DEMO}`, /^--fail-on "rsik" is not known: did you mean risk\?$/],
  [`check --lifted maybe ${DEMO}`, /^--lifted "maybe" is not known: choose one of show, leave$/],
  [`check --checks-from moon ${DEMO}`, /^--checks-from "moon" is not known: choose from payload, operators, /],
  [`check -o jsn ${DEMO}`, /^--output: no output format is called "jsn": did you mean json\?$/],
  [`check -o json= ${DEMO}`, /names no file: write FORMAT=FILE, such as json=report\.json$/],
  [`check -o json -o yaml ${DEMO}`, /would both go to stdout: write FORMAT=FILE for all but one$/],
  [`check --concurrency x ${DEMO}`, /^--concurrency needs a number from 1 to 32$/],
  [`check --concurrency 99 ${DEMO}`, /^--concurrency must be a whole number from 1 to 32$/],
  [`check --image-min-rate x ${DEMO}`, /^--image-min-rate needs a number, such as 1024$/],
  [`check --check-timeout 5 ${DEMO}`, /^--check-timeout "5" is not a duration: use a form such as 30s, 5m or 1h30m$/],
  [`check --check-timeout 0 ${DEMO}`, /^--check-timeout must be longer than 0: use a form such as 30s or 5m$/],
  [`check --verbose=maybe ${DEMO}`, /^--verbose takes no value: write --verbose or --no-verbose; see /],
  [`check --no-to ${DEMO}`, /^--no-to is not an option: leave --to out$/],
  [`check --no-concurrency ${DEMO}`, /^--concurrency must be a whole number from 1 to 32$/],
  [`check --only nods ${DEMO}`, /^no check has the id "nods": did you mean nodes\?$/],
  [
    "check --recorded demo",
    /^no target release was given: name it with --to VERSION, --target DIR or --target-version/,
  ],
  [`check --must-gather demo ${DEMO}`, /^--must-gather and --recorded are alternatives: give one of them$/],
  [`check --to 4.18.6 ${DEMO}`, /^--to names the target release: remove --target$/],
  [`check --watch ${DEMO}`, /^--watch follows a live cluster: remove --recorded or --must-gather$/],
  [
    `check --watch -o json ${TARGET}`,
    /^--watch shows the table, and lines .*\("-o json=FILE" is renewed by each look\)$/,
  ],
  [`check --watch --to 4.19 --to 4.20`, /^--watch is for one target: give one$/],
  [
    `check --only hosted-cluster ${DEMO}`,
    /^the check hosted-cluster judges hosted clusters: add --hosted-cluster NAMES/,
  ],
  [
    `check --only nodes --hosted-cluster a/b ${DEMO}`,
    /^the check nodes judges no hosted cluster: remove --hosted-clus/,
  ],
  [`check --watch --recheck demo ${TARGET}`, /^--watch compares with its own first look: remove --recheck and --all$/],
  [`check --all ${DEMO}`, /^--all belongs to --recheck: name the earlier result too, or leave --all out$/],
  [`check --checks nowhere ${DEMO}`, /^--checks nowhere does not exist: name a file with checks, or its folder$/],
  [`check --config nowhere ${DEMO}`, /^the configuration nowhere can't be read: it does not exist; correct --config/],
  [`check --config demo ${DEMO}`, /^the configuration demo can't be read: it is a folder; correct --config/],
  [`check --recheck nowhere ${DEMO}`, /it does not exist; name a file that "preflight check -o json=FILE" wrote$/],
  [`check --recheck demo ${DEMO}`, /it is a folder; name a file that "preflight check -o json=FILE" wrote$/],
  ["compare a.json", /^compare needs OLD and NEW: write "preflight compare OLD NEW"; see 'preflight help compare'$/],
  ["explain", /^explain needs CHECK\|RISK: write "preflight explain CHECK\|RISK\.\.\."; see 'preflight help explain'$/],
  ["plan --recorded demo", /^--to is required: write --to VERSION$/],
  ["record --to 4.18.6", /^--dest-dir is required: write --dest-dir DIR$/],
  ["checks lint nowhere", /^nowhere does not exist: name a file with checks, or its folder$/],
  ["completion tcsh", /^no completion for "tcsh": choose one of bash, zsh, fish$/],
];

/** These are no wrong usage, since what a path or a server holds is known only once it is read: they fail, with 1. */
const UNREADABLE: readonly (readonly [words: string, said: RegExp])[] = [
  [`check --recorded nowhere ${TARGET}`, /it does not exist: name a folder that "preflight record" wrote$/],
  ["check --recorded demo --target nowhere", /^target folder nowhere does not exist: give the folder of an extracted/],
  ["check --recorded demo --target README.md", /is not a folder: give the folder of an extracted release/],
  ["compare nowhere nowhere", /^reading nowhere: it does not exist; name a file that "preflight check -o json=FILE"/],
  [
    "compare package.json package.json",
    /is not a result: format: is missing; name a file that "preflight check -o json/,
  ],
  [`check --kubeconfig nowhere ${TARGET}`, /no such file: name another one with --kubeconfig or KUBECONFIG$/],
  [`check --kubeconfig demo ${TARGET}`, /it is a folder: name another one with --kubeconfig or KUBECONFIG$/],
  [
    `check --kubeconfig ${noKubeconfig} ${TARGET}`,
    /it holds no mapping: name another one with --kubeconfig or KUBECONFIG$/,
  ],
  [
    `check --kubeconfig ${noContext} ${TARGET}`,
    /has no context: log in to a cluster, or name another file with --kubec/,
  ],
  [`check --kubeconfig ${otherContext} --context b ${TARGET}`, /has no context b: choose another one with --context/],
];

const FOREIGN = /Not enough|Invalid values|Argument:|ENOENT|EISDIR/;

for (const [rows, code] of [
  [WRONG, 2],
  [UNREADABLE, 1],
] as const)
  for (const [words, said] of rows)
    test(`preflight ${words.replaceAll(folder, "")} ends with ${code} and says what to write`, async () => {
      const result = await runPreflight(words.split(" "));
      assert.deepEqual([result.code, result.out], [code, ""]);
      const [, line = ""] = /^preflight: (.*)\n$/.exec(result.err) ?? [];
      assert.match(line, said, result.err);
      assert.doesNotMatch(line, FOREIGN);
    });

async function checkServer(server: string): Promise<string> {
  const args = ["check", "--kubeconfig", writeServerKubeconfig(folder, server), "--target", "demo/release"];
  const { code, out, err } = await runPreflight(args);
  assert.deepEqual([code, out], [1, ""]);
  assert.match(err, /^preflight: .*\n$/);
  return err;
}

test("a user without rights is told which command prints them", async (t) => {
  const message = 'clusterversions is forbidden: User "dev" cannot get resource "clusterversions"';
  const { url } = await serve(t, (_, response) => {
    response.writeHead(403, { "content-type": "application/json" });
    response.end(JSON.stringify(buildStatus(403, "Forbidden", message)));
  });
  assert.match(
    await checkServer(url),
    /User "dev" cannot .*\. A cluster administrator grants the rights that "preflight rbac --bind-to USER" prints\n$/,
  );
});

test("a server of http:// that does not answer, or that speaks TLS, is told to be one of https://", async (t) => {
  assert.match(
    await checkServer("http://127.0.0.1:1"),
    /refused the connection: unless it is a proxy, correct the cluster's server in the kubeconfig: https:\/\/ instead of http:\/\/\n$/,
  );
  const { url } = await serve(t, (_, response) => {
    response.writeHead(400);
    response.end("Client sent an HTTP request to an HTTPS server.\n");
  });
  assert.match(
    await checkServer(url),
    /write https:\/\/ instead of http:\/\/ as the cluster's server in the kubeconfig\n$/,
  );
});
