import type { Entry, ItemTest, Path } from "../vocabulary.ts";

const PROVIDERS: Path = "spec.identityProviders";
const OAUTHS = "config.openshift.io/v1/oauths";

/** Whose users type their password into a form of the OAuth server itself. */
const PASSWORD: ItemTest = { at: "type", oneOf: ["HTPasswd", "Keystone", "LDAP", "BasicAuth"] };
const REDIRECT: ItemTest = { at: "type", oneOf: ["OpenID", "GitHub", "GitLab", "Google"] };
const SPACED: ItemTest = { at: "name", matches: "\\s" };

/** Either alone keeps the OAuth server from starting. */
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

/** Faults of logins, certificates and accounts. */
export const AUTHENTICATION: readonly Entry[] = [
  {
    id: "oauth-provider-name-space",
    name: "IdentityProviderNameSpaceCrashesLogin",
    certainty: "risk",
    published: ["OAuthServerDownIfSpaceInIDPName"],
    versions: [{ first: "4.17.0-rc.0", last: "4.17.3", sources: [{ before: "4.17.0-0" }], fixedIn: "4.17.4" }],
    when: { get: OAUTHS, name: "cluster", where: CRASHES },
    title: "A space in an identity provider's name keeps the OAuth server from starting",
    message:
      "The OAuth server of {target} crashes over a space in the name of an identity provider, and nobody can log in",
    remedy: "give the identity provider a name without spaces",
    url: "https://issues.redhat.com/browse/AUTH-550",
  },
  {
    id: "oauth-provider-name-space-kubeadmin",
    name: "IdentityProviderNameSpaceMayCrashLogin",
    certainty: "notice",
    published: ["OAuthServerDownIfSpaceInIDPName"],
    versions: [{ first: "4.17.0-rc.0", last: "4.17.3", sources: [{ before: "4.17.0-0" }], fixedIn: "4.17.4" }],
    when: {
      get: OAUTHS,
      name: "cluster",
      where: { allOf: [{ not: CRASHES }, { items: PROVIDERS, where: { allOf: [PASSWORD, SPACED] } }] },
    },
    title: "A space in an identity provider's name and kubeadmin together keep the OAuth server from starting",
    message:
      "Where the user kubeadmin still exists (secret kubeadmin of kube-system, which is never read), the OAuth server of {target} crashes over a space in the name of an identity provider",
    remedy: "give the identity provider a name without spaces",
    url: "https://issues.redhat.com/browse/AUTH-550",
  },
];
