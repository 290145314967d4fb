/** An operator that OLM installed, and what is known of its way to a target. */
export type OlmOperator = {
  /** That of its Subscription, if one is known. */
  readonly name: string;
  readonly namespace: string;
  readonly version?: string;
  readonly subscription?: OperatorSubscription;
  /** The last OpenShift release that it declares to support, "4.21". */
  readonly lastRelease?: string;
  /** Absent if it declares no last release, or one that nobody can parse. */
  readonly supportsTarget?: boolean;
};

/** What a Subscription says of an operator that is installed. */
export type OperatorSubscription = {
  readonly channel?: string;
  readonly source?: string;
  readonly approval?: "Automatic" | "Manual";
  /** The name of the ClusterServiceVersion that OLM has for it, if that is not the installed one. */
  readonly next?: string;
};
