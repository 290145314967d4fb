import { type Cause, type RunnerMode, type Step, TARGETS } from "./schedule.ts";

export type Request = { readonly to: string; readonly lifted: "show" | "leave" };

/** What the operator makes its lists from. */
export type OperatorView = {
  readonly causes: Readonly<Record<Cause, boolean>>;
  readonly isOffered: boolean;
  readonly accepted: readonly string[];
};

/** All that the cluster's state follows from. */
export type Inputs = OperatorView & {
  readonly request?: Request;
  readonly isUpdating: boolean;
  readonly runner: RunnerMode;
  readonly isOperatorUp: boolean;
  /** Of the operator's last sync: the present one while it is up. */
  readonly view: OperatorView;
  /** Whether the spec is as it was in that sync. */
  readonly isSpecObserved: boolean;
};

const FIRST_VIEW: OperatorView = {
  causes: { operator: false, budget: false, published: false, alert: false },
  isOffered: true,
  accepted: [],
};

export const FIRST_INPUTS: Inputs = {
  ...FIRST_VIEW,
  isUpdating: false,
  runner: "runs",
  isOperatorUp: true,
  view: FIRST_VIEW,
  isSpecObserved: true,
};

/** The inputs after a step. */
export function applyStep(inputs: Inputs, step: Step): Inputs {
  const after = applyOwn(inputs, step);
  const { causes, isOffered, accepted } = after;
  if (after.isOperatorUp) return { ...after, view: { causes, isOffered, accepted }, isSpecObserved: true };
  return { ...after, isSpecObserved: after.isSpecObserved && accepted.join() === inputs.accepted.join() };
}

function applyOwn(inputs: Inputs, step: Step): Inputs {
  switch (step.kind) {
    case "request":
      return isRequestable(inputs, step.to) ? { ...inputs, request: { to: step.to, lifted: step.lifted } } : inputs;
    case "cancel":
      return withoutRequest(inputs);
    case "accept":
      return { ...inputs, accepted: accept(inputs.accepted, step.name, step.isAdded) };
    case "cause":
      return { ...inputs, causes: { ...inputs.causes, [step.cause]: step.isPresent } };
    case "offer":
      return { ...inputs, isOffered: step.isOffered };
    case "operator":
      return { ...inputs, isOperatorUp: step.to === "started" };
    case "update":
      // A running operator alone starts an update.
      if (!inputs.isOperatorUp) return inputs;
      return { ...(step.isRunning ? withoutRequest(inputs) : inputs), isUpdating: step.isRunning };
    case "runner":
      return { ...inputs, runner: step.mode };
    case "sync":
    case "killRunner":
    case "killController":
    case "deleteDeployment":
    case "editDeployment":
    case "wait":
      return inputs;
  }
}

/** Whether the command creates a request now. */
export function isRequestable({ isUpdating, view }: Inputs, to: string): boolean {
  return !isUpdating && isTargetOffered(view, to);
}

export function isTargetOffered({ isOffered }: OperatorView, to: string): boolean {
  return to !== TARGETS[0] || isOffered;
}

function withoutRequest(inputs: Inputs): Inputs {
  const { request: _, ...others } = inputs;
  return others;
}

function accept(accepted: readonly string[], name: string, isAdded: boolean): readonly string[] {
  const others = accepted.filter((one) => one !== name);
  if (!isAdded) return others;
  return accepted.includes(name) ? accepted : [...accepted, name];
}

export function formatInputs(inputs: Inputs): string {
  const { request, isUpdating, runner, isOperatorUp, causes, isOffered } = inputs;
  const present = Object.entries(causes).flatMap(([cause, isPresent]) => (isPresent ? [cause] : []));
  return [
    request ? `${request.to} ${request.lifted}` : "no request",
    `runner ${runner}`,
    isOperatorUp ? "operator" : "no operator",
    ...(isUpdating ? ["updating"] : []),
    ...(isOffered ? [] : ["not offered"]),
    ...present,
  ].join(", ");
}
