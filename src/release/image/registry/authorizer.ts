import { FailedError } from "../../../model/errors.ts";
import { parseObject, textAt } from "../../../model/json.ts";
import { quote } from "../../../model/text.ts";
import { readWhole } from "../verified-content.ts";
import type { RegistryCredentials } from "./credential-files.ts";
import { type HttpClient, TransientError } from "./http-client.ts";

/** Answers the challenges of one registry for one repository. */
export type Authorizer = {
  /** The header to send, once a challenge was answered. */
  readonly current: () => string | undefined;
  /** Answers the challenge of a 401. Throws a FailedError if the credentials are refused. */
  readonly answer: (challenges: string) => Promise<void>;
};

type Challenge = { readonly scheme: string; readonly parameters: ReadonlyMap<string, string> };

const MAX_TOKEN_BYTES = 1 << 20;
const MAX_QUOTED_LENGTH = 120;
const CLIENT_ID = "target-release-preflight";

/** `getCredentials` is called only once a registry asks: a helper may ask the user. */
export function createAuthorizer(
  host: string,
  repository: string,
  getCredentials: () => Promise<RegistryCredentials>,
  http: HttpClient,
): Authorizer {
  let header: string | undefined;
  return {
    current: () => header,
    async answer(challenges) {
      const parsed = parseChallenges(challenges);
      const bearer = parsed.find(({ scheme }) => scheme === "bearer");
      const credentials = await getCredentials();
      if (bearer) header = `Bearer ${await fetchToken(bearer, credentials, { host, repository, http })}`;
      else if (!parsed.some(({ scheme }) => scheme === "basic"))
        throw new FailedError(
          `${host} asks for a way to log in that is not supported: ${quote(challenges, MAX_QUOTED_LENGTH) || "none"}`,
        );
      else if (credentials.kind === "password") header = buildBasic(credentials.username, credentials.password);
      else throw buildLoginError(host, credentials);
    },
  };
}

/** What a registry that refuses means, by what was sent to it. */
export function buildLoginError(host: string, credentials: RegistryCredentials): FailedError {
  const login = `log in with "podman login ${host}"`;
  return new FailedError(
    credentials.kind === "none"
      ? `${host} requires a login, and ${credentials.searched || "no file"} has no credentials for it: ${login}, or give --authfile`
      : `${host} refused the credentials of ${credentials.origin}: ${login}, or give --authfile`,
  );
}

function buildBasic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

/** Parses WWW-Authenticate: schemes, each with parameters, separated by commas. */
function parseChallenges(text: string): readonly Challenge[] {
  const challenges: { scheme: string; parameters: Map<string, string> }[] = [];
  for (const [, scheme, key, quoted, plain] of text.matchAll(
    /(?:^|[\s,])([a-z]+)(?=\s+\w+=|\s*$|\s*,)|(\w+)=(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/gi,
  )) {
    if (scheme !== undefined) challenges.push({ scheme: scheme.toLowerCase(), parameters: new Map() });
    else if (key !== undefined)
      challenges.at(-1)?.parameters.set(key.toLowerCase(), quoted?.replaceAll(/\\(.)/g, "$1") ?? plain ?? "");
  }
  return challenges;
}

type TokenRequest = { readonly host: string; readonly repository: string; readonly http: HttpClient };

/** Fetches a token for pulling, without credentials if there are none: many repositories are public. */
async function fetchToken(
  { parameters }: Challenge,
  credentials: RegistryCredentials,
  { host, repository, http }: TokenRequest,
): Promise<string> {
  const realm = parameters.get("realm") ?? "";
  if (!URL.canParse(realm) || !realm.startsWith("https:"))
    throw new FailedError(
      `${host} refers to "${quote(realm, MAX_QUOTED_LENGTH)}" for a token, which is not an https address`,
    );
  const fields = {
    service: parameters.get("service") ?? "",
    scope: parameters.get("scope") ?? `repository:${repository}:pull`,
  };
  const url = new URL(realm);
  const isForm = credentials.kind === "identityToken";
  if (!isForm) for (const [name, value] of Object.entries(fields)) if (value) url.searchParams.append(name, value);
  const form = isForm
    ? new URLSearchParams({
        ...fields,
        grant_type: "refresh_token",
        refresh_token: credentials.token,
        client_id: CLIENT_ID,
      })
    : undefined;
  const headers =
    credentials.kind === "password" ? { authorization: buildBasic(credentials.username, credentials.password) } : {};
  return http.retry(async () => {
    const response = await http.send(url, { headers, ...(form ? { form } : {}) });
    const status = response.statusCode ?? 0;
    const text = await readBody(response, url, http);
    if (status === 401 || status === 403 || status === 400) throw buildLoginError(host, credentials);
    if (status === 429 || status >= 500)
      throw new TransientError(`${url.host} gave no token (${status})`, response.headers["retry-after"]);
    const answer = status === 200 ? parseObject(text) : undefined;
    const token = textAt(answer, "token") ?? textAt(answer, "access_token");
    if (!token) throw new FailedError(`${url.host} gave no token (${status})`);
    return token;
  });
}

async function readBody(body: AsyncIterable<Uint8Array>, url: URL, http: HttpClient): Promise<string> {
  try {
    return (await readWhole(body, MAX_TOKEN_BYTES, `the answer of ${url.host}`)).toString("utf8");
  } catch (thrown) {
    throw http.toBodyError(thrown, url);
  }
}
