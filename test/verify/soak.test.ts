import assert from "node:assert/strict";
import { test } from "node:test";
import { formatSoak } from "../../verify/soak/page.ts";
import { parseDigests } from "../../verify/soak/prebuilt.ts";

const DIGEST = "0123456789abcdef".repeat(4);

test("a soak tells each round with the command that plays it again, and with what it was played", () => {
  const prebuilt = parseDigests(`${DIGEST}  etcd.tar.xz\nnot a digest\n`);
  assert.deepEqual(prebuilt, [{ name: "etcd.tar.xz", digest: DIGEST }]);
  const round = { seed: 3, isSound: true, seconds: 61 } as const;
  const page = formatSoak(
    [
      { ...round, program: "churn", flags: ["--troubles"], troubles: '{"stores":4,"clocks":2,"scraped":8}' },
      { ...round, program: "outages", flags: [], isSound: false, troubles: undefined },
    ],
    prebuilt,
  );
  assert.match(page, /^\| `npm run churn -- --seed 3 --troubles` \| as expected \| 61 \| 4 \| 2 \| 8 \|$/m);
  assert.match(page, /^\| `npm run outages -- --seed 3` \| failed \| 61 \| - \| - \| - \|$/m);
  assert.match(page, /^2 rounds in 122 seconds, 1 of them failed\.$/m);
});
