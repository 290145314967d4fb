/** Who says what is right: an API server, or the packages that it is made of. */
export type Opponent = "server" | "packages";
