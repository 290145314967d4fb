import { existsSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../src/model/json.ts";
import { generateBoundaryRound } from "./boundary-round.ts";
import { generateRound } from "./generate-round.ts";
import { buildReleaseRound, readReleaseCrds } from "./release-round.ts";
import type { Round } from "./round.ts";
import { SHARED } from "../api-server/control-plane.ts";
import { createRandom } from "../schema/random/random.ts";

/** Where the CRDs of a round come from: made at random, or those of any two releases. */
export const ROUND_KINDS = ["random", "release"] as const;
export type RoundKind = (typeof ROUND_KINDS)[number];

const OBJECTS_OF_ROUND = 40;
/** Among as many rounds, so many are random: they ask more, and cost less, than the CRDs of releases. */
const RANDOM_AMONG = { random: 3, all: 4 };
/** One of as many rounds has values at the limits of what their schemas allow: the first of each bundle. */
const BOUNDARY_AMONG = 10;

/** Makes the round of a seed and an index, always the same. */
export type MakeRound = (index: number) => Round;

/** Without the CRDs of releases (PREFLIGHT_SHARED), all rounds are random. */
export function openRounds(seed: number, kinds: readonly RoundKind[]): MakeRound {
  const crds =
    kinds.includes("release") && existsSync(join(SHARED, "crds")) ? [...readReleaseCrds(SHARED).values()] : [];
  return (index) => {
    const random = createRandom(seed * 1_000_003 + index);
    const isRandom = crds.length === 0 || (kinds.includes("random") && index % RANDOM_AMONG.all < RANDOM_AMONG.random);
    const generate = index % BOUNDARY_AMONG === 0 ? generateBoundaryRound : generateRound;
    const round = isRandom ? generate(random, index, OBJECTS_OF_ROUND) : makeReleaseRound(crds, random, index);
    return { ...round, name: `seed ${seed} ${round.name}` };
  };
}

function makeReleaseRound(
  crds: readonly (readonly JsonObject[])[],
  random: ReturnType<typeof createRandom>,
  index: number,
): Round {
  const documents = random.oneOf(crds) ?? [];
  const old = random.oneOf(documents) ?? {};
  const next = random.oneOf(documents) ?? {};
  return buildReleaseRound(random, index, old, next, OBJECTS_OF_ROUND);
}
