import type { UnknownReason } from "./unknown-reason.ts";

/** Ends the message of a refusal that the rights which "preflight rbac" prints don't remove. */
const UNGRANTED = '"preflight rbac" grants lists of the target\'s own kinds alone';

export function formatUngranted(message: string): string {
  return `${message}; ${UNGRANTED}`;
}

type Refusal = { readonly reason: UnknownReason; readonly message: string };

export function isUngranted({ reason, message }: Refusal): boolean {
  return reason === "Forbidden" && message.endsWith(UNGRANTED);
}
