import type { Random } from "../schema/random/random.ts";
import {
  advance,
  type Channel,
  CHANNELS,
  type Fault,
  FAULTS,
  type SyncKind,
  type UpdateService,
} from "./update-service.ts";
import type { World } from "./world.ts";

export type Play = {
  readonly world: World;
  readonly service: UpdateService;
  readonly random: Random;
  /** Whether the present request has not been resolved by ClusterVersion's lists yet. */
  isFresh: boolean;
  /** When what ClusterVersion lists was last known to be what the service offers. */
  currentAt: number;
};

const SYNC = "the operator syncs";

/** What happens to the service, the operator, the request and the controller. */
export const STEPS: Readonly<Record<string, (play: Play) => Promise<void>>> = {
  "the update service fails or comes back": async ({ service, random }) => {
    const fault = random.oneOf(Object.keys(FAULTS).filter(isFault));
    service.fault = isLost(random, service.fault === undefined) ? fault : undefined;
  },
  [SYNC]: (play) => sync(play, "retrieves"),
  "the operator stops or starts": async ({ service, world, random }) => {
    const isUp = !isLost(random, service.isOperatorUp);
    if (isUp === service.isOperatorUp) return;
    [service.isOperatorUp, service.memory] = [isUp, undefined];
    if (!isUp) return world.stopOperator();
    await world.startOperator();
    advance(service, "retrieves");
  },
  "the operator is one that reports RetrievedUpdates or not": async ({ service, random }) =>
    void (service.isReporting = !isLost(random, service.isReporting)),
  "the channel changes": async (play) => {
    const { service, world, random } = play;
    const channel = random.pick(CHANNELS);
    if (channel === service.channel) return;
    service.channel = channel;
    service.isObserved = false;
    await world.setChannel(channel);
    const isEmptied = random.chance(0.5);
    await sync(play, isEmptied ? "sees the channel and empties its lists" : "sees the channel");
  },
  "the update is withdrawn": async (play) => void play.service.images.delete(pickChannel(play)),
  "the update is offered": async (play) => {
    const [image, other] = play.service.target.images;
    play.service.images.set(pickChannel(play), play.random.chance(0.8) ? image : other);
  },
  "the preflight is requested again": async (play) => {
    play.isFresh = true;
    await play.world.request();
  },
  "somebody deletes the runner": ({ world }) => world.deleteRunner(),
  "somebody deletes the result": async (play) => {
    play.isFresh = true;
    await play.world.deleteResult();
  },
  "the controller restarts": ({ world }) => world.restartController(),
};

/** What each step is picked from: most often, the operator syncs. */
export const CHOICES: readonly string[] = [...Object.keys(STEPS), SYNC, SYNC, SYNC];

/** What is there is lost less often than what is lost comes back: without it, little can change. */
function isLost(random: Random, isThere: boolean): boolean {
  return random.chance(0.4) && isThere;
}

function pickChannel({ service, random }: Play): Channel {
  return random.chance(0.6) ? service.channel : random.pick(CHANNELS);
}

function isFault(name: string): name is Fault {
  return name in FAULTS;
}

/** Whoever runs no operator sees nothing. */
export async function sync({ service, world }: Play, kind: SyncKind): Promise<void> {
  if (!service.isOperatorUp) return;
  await world.sync(kind);
  advance(service, kind);
}
