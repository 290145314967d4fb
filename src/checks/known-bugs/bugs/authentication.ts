import type { BugEntry, ItemTest, Path, Predicate } from "../known-bug.ts";
import { fromEarlierMinors } from "../versions.ts";

const PROVIDERS: Path = "spec.identityProviders";
const OAUTHS = "config.openshift.io/v1/oauths";

/** Providers whose users log in with a form of the OAuth server itself. */
const PASSWORD: ItemTest = { at: "type", oneOf: ["HTPasswd", "Keystone", "LDAP", "BasicAuth"] };
const REDIRECT: ItemTest = { at: "type", oneOf: ["OpenID", "GitHub", "GitLab", "Google"] };
const SPACED: ItemTest = { at: "name", matches: "\\s" };

/** Each of these alone keeps the OAuth server from starting. */
const CRASHES: ItemTest = {
  anyOf: [
    { items: PROVIDERS, where: { allOf: [REDIRECT, SPACED] } },
    {
      allOf: [
        { items: PROVIDERS, where: { allOf: [PASSWORD, SPACED] } },
        { items: PROVIDERS, where: PASSWORD, least: 2 },
      ],
    },
  ],
};

/**
 * The user kubeadmin counts as one more provider with a password. The check doesn't read its Secret: the authentication operator marks
 * the OAuth server's pods as long as that exists.
 */
const KUBEADMIN: Predicate = {
  get: "apps/v1/deployments",
  name: "openshift-authentication/oauth-openshift",
  where: { at: 'spec.template.metadata.annotations."operator.openshift.io/bootstrap-user-exists"', equals: "true" },
  unnamed: true,
};

/** Bugs that affect logins. */
export const AUTHENTICATION_BUGS: readonly BugEntry[] = [
  {
    id: "oauth-provider-name-space",
    name: "IdentityProviderNameSpaceCrashesLogin",
    published: ["OAuthServerDownIfSpaceInIDPName"],
    versions: fromEarlierMinors("4.17.0-rc.0", "4.17.3", "4.17.4"),
    when: {
      anyOf: [
        { get: OAUTHS, name: "cluster", where: CRASHES },
        {
          allOf: [
            { get: OAUTHS, name: "cluster", where: { items: PROVIDERS, where: { allOf: [PASSWORD, SPACED] } } },
            KUBEADMIN,
          ],
        },
      ],
    },
    title: "A space in an identity provider's name keeps the OAuth server from starting",
    message:
      "The OAuth server of {target} crashes if the name of an identity provider contains a space, and nobody can log in",
    remedy: "rename the identity provider in OAuth cluster to a name without spaces",
    fix: { kinds: ["OAuth"], command: "edit {object}" },
    url: "https://issues.redhat.com/browse/AUTH-550",
  },
];
