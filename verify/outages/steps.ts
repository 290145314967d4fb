import type { Random } from "../schema/random/random.ts";
import { advance, CHANNELS, type Fault, FAULTS, type SyncKind, type UpdateService } from "./update-service.ts";
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

/** What happens to the service, the operator, the request and the controller, each as likely as the others. */
export const STEPS: Readonly<Record<string, (play: Play) => Promise<void>>> = {
  "the update service fails or comes back": async ({ service, random }) => {
    const fault = random.oneOf(Object.keys(FAULTS).filter(isFault));
    service.fault = service.fault === undefined ? fault : undefined;
  },
  "the operator syncs": (play) => sync(play, "retrieves"),
  "the operator syncs again": (play) => sync(play, "retrieves"),
  "the operator stops or starts": async ({ service, world }) => {
    service.isOperatorUp = !service.isOperatorUp;
    service.memory = undefined;
    if (!service.isOperatorUp) return world.stopOperator();
    await world.startOperator();
    advance(service, "retrieves");
  },
  "the operator is one that reports RetrievedUpdates or not": async ({ service }) =>
    void (service.isReporting = !service.isReporting),
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
  "the update is withdrawn": async ({ service, random }) => void service.images.delete(random.pick(CHANNELS)),
  "the update is offered": async ({ service, random }) => {
    const [image, other] = service.target.images;
    service.images.set(random.pick(CHANNELS), random.chance(0.8) ? image : other);
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

function isFault(name: string): name is Fault {
  return name in FAULTS;
}

/** Whoever runs no operator sees nothing. */
export async function sync({ service, world }: Play, kind: SyncKind): Promise<void> {
  if (!service.isOperatorUp) return;
  await world.sync(kind);
  advance(service, kind);
}
