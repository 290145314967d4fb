import assert from "node:assert/strict";
import { test } from "node:test";
import { runPreflight } from "../../../../verify/shared/preflight.ts";

const WRONG_USES: readonly (readonly [string, RegExp])[] = [
  ["request", /either --to or --to-image is required/],
  ["request --to 5.1.2 --to-image x", /--to and --to-image are mutually exclusive/],
  ["request --to five", /"five" is not a version such as 5\.2\.0/],
  ["request --to 5.1.2 --until then", /--until: "then" is not a time/],
  ["request --to 5.1.2 --not-before 2026-01-02T00:00:00Z --until 2026-01-01T00:00:00Z", /--until: must be after/],
  ["request --to 5.1.2 --until 2020-01-01T00:00:00Z", /--until is in the past/],
  ["accept", /Name the risks to accept/],
  ["accept A,,B", /"" is not a risk name/],
  ["accept A,B\tC", /"B C" is not a risk name/],
  ["accept A,A-", /A is both added and removed/],
  ["accept --clear --replace", /mutually exclusive/],
  ["accept --clear A", /--clear takes no risk names/],
  ["accept --replace A-", /--replace takes only names to accept/],
  ["controller", /--image is required/],
  ["controller --image x --lease-duration 1s", /--lease-duration must be 3s or longer/],
  ["controller --image x --poll 0", /--poll must be longer than 0/],
  ["controller --image x --runner-interval 0", /--runner-interval must be longer than 0/],
  ["controller --image x --runner-listen 9098", /--runner-listen "9098" is not an address/],
  ["controller --image x --runner-listen :0", /--runner-listen must name a port other than 0/],
  ["cancel now", /unexpected argument "now"/],
];

for (const [words, expected] of WRONG_USES) {
  test(`'${words}' is a usage error, and no cluster is contacted`, async () => {
    const { code, out, err } = await runPreflight([...words.split(" "), "--kubeconfig", "/nonexistent"]);
    assert.deepEqual([code, out], [2, ""], err);
    assert.match(err, expected);
    assert.equal(err.trim().split("\n").length, 1);
  });
}
