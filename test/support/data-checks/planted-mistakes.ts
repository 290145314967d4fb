/** A check with a bit of everything. */
export const SOUND_CHECK = `apiVersion: preflight.openshift.io/v1alpha1
kind: PreflightCheck
metadata: {name: shop-windows}
spec:
  name: ShopWindows
  title: Shops have windows
  applies: {crosses: "4.21", platforms: [openshift, kubernetes]}
  reads:
    config: {get: v1/configmaps, name: shop/settings}
    shops:
      list: example.com/v1/shops
      required: true
      where: object.?spec.?open.orValue(false)
    deployments:
      list: apps/v1/deployments
      when: config.?data.?mode.orValue("") == "strict"
      where: has(object.metadata.ownerReferences)
      index:
        byOwner: object.metadata.ownerReferences.map(o, object.metadata.namespace + "/" + o.name)
  variables:
    - {name: mode, expression: 'config.?data.?mode.orValue("")'}
  notApplicable:
    - when: mode == "off"
      reason: The shops are closed.
  risks:
    - name: ShopWindowsMissing
      effect: broken
      leadTime: hours
      title: Shops have no windows
      url: https://example.com/windows
      message: "Shops without windows stay dark on \${target.version}: \${objects}."
      remediation: Give every shop a window.
      fix:
        - patch: {spec: {windows: 1}}
      findings:
        - forEach: shops.items
          when: object.?spec.?windows.orValue(0) < 1 && deployments.by.byOwner[?object.metadata.name].orValue([]).size() == 0
          path: spec.windows
          message: It has \${object.?spec.?windows.orValue(0)} windows.
          detail: {mode: "\${mode}"}
  notices:
    - when: shops.items.size() > 100
      message: There are \${shops.items.size()} shops.
  unknowns:
    - forEach: shops.items
      when: '!(object.?spec.?kind.orValue("") in ["", "small"])'
      where: "\${ref(object)} spec.kind"
      message: it is not a known kind
`;

/** A part of the sound check, what somebody writes instead, text around "^" where the fault is marked, and the words that help. */
export type PlantedMistake = readonly [part: string, instead: string, marked: string, help: RegExp];

export const PLANTED_MISTAKES: readonly PlantedMistake[] = [
  // The document.
  ["preflight.openshift.io/v1alpha1", "preflight.openshift.io/v1", "^preflight.openshift.io/v1\n", /v1alpha1/],
  ["kind: PreflightCheck", "kind: PreflightChecks", "^PreflightChecks", /it must be "PreflightCheck"/],
  ["\nmetadata:", "\nkind: A\nmetadata:", "^kind: A", /duplicated/],
  ["{name: shop-windows}", "{name: Shop_Windows}", "^Shop_Windows", /small letters and digits/],
  ["{name: shop-windows}", '{name: ""}', '{name: "^"}', /small letters/],
  ["apiVersion: preflight.openshift.io/v1alpha1\n", "", "^kind: PreflightCheck", /apiVersion is missing/],
  ["\nspec:", "\nsepc:", "^sepc:", /did you mean spec\?/],
  ["\nspec:", "\nspec: [", "^  title: Shops have windows", /not valid YAML/],
  // Fields and their values.
  ["name: ShopWindows\n", "name: shop windows\n", "^shop windows", /PascalCase/],
  ["  title: Shops have windows\n", "", "^spec:\n", /title is missing/],
  ["  title: Shops have windows\n", "  titel: Shops have windows\n", "^titel:", /did you mean title\?/],
  ["  title: Shops have windows\n", "  title: [a]\n", "^title: [a]", /a text/],
  ["platforms: [openshift, kubernetes]", "platform: [openshift]", "^platform:", /did you mean platforms\?/],
  ["platforms: [openshift, kubernetes]", "platforms: [openshfit]", "^openshfit", /did you mean openshift\?/],
  ['crosses: "4.21"', "crosses: 4.21", "crosses: ^4.21", /quotes/],
  ['crosses: "4.21"', 'crosses: "4.21.3"', '"^4.21.3"', /"4\.21"/],
  ['crosses: "4.21"', 'crosses: "4.21", leavesMinor: true', "^applies:", /only one of/],
  ["leadTime: hours", "leadTime: hour", "^hour\n", /did you mean hours\?/],
  ["effect: broken", "effect: refused", "^refused", /stuck, broken or notRecommended/],
  ["effect: broken", "effect: broke", "^broke\n", /did you mean broken\?/],
  ["effect: broken", "effct: broken", "^effct", /did you mean effect\?/],
  ["      effect: broken\n", "", "^name: ShopWindowsMissing", /effect is missing/],
  ["url: https:", "url: http:", "^http:", /https/],
  ["name: ShopWindowsMissing", "name: shopWindowsMissing", "^shopWindowsMissing", /PascalCase/],
  ["name: ShopWindowsMissing", "name: ShopWindowsUnknown", "^ShopWindowsUnknown", /taken/],
  ["leadTime: hours", "leadTime: hours\n      published: [X]", "^published", /only the checks of preflight itself/],
  ["- patch: {spec: {windows: 1}}", "- patsch: {spec: {windows: 1}}", "^patsch", /did you mean patch\?/],
  ["- patch: {spec: {windows: 1}}", "- {patch: {}, run: oc get x}", "^patch: {}", /one of/],
  // Reads.
  ["list: example.com/v1/shops", "list: shops", "list: ^shops\n", /such as apps\/v1\/deployments/],
  ["list: example.com/v1/shops", "lits: example.com/v1/shops", "^lits:", /did you mean list\?/],
  ["list: example.com/v1/shops", "list: v1/secrets", "^v1/secrets", /never reads Secrets/],
  ["v1/configmaps, name: shop/settings", "v1/configmaps", "^config: {", /needs the name/],
  ["get: v1/configmaps,", "list: v1/configmaps,", "name: ^shop/settings", /get for one object/],
  ["required: true", "required: yes please", "^yes please", /true/],
  ["required: true", "required: true\n      watch: true", "^watch", /the fields are list, get/],
  ["where: has(object.metadata.ownerReferences)", "where: has(object.metadata.owners", "owners^\n", /incomplete/],
  ["where: has(object.metadata", "where: has(objcet.metadata", "^objcet", /did you mean object\?/],
  ["where: has(object.metadata.ownerReferences)", "where: shops.served", "^shops.served", /not declared/],
  ["where: has(object.metadata.ownerReferences)", "where: size(object.a)", "^size(object.a)", /true or false, not int/],
  ["where: has(object.metadata.ownerReferences)", "where: has(object)", "has(^object)", /selection of a field/],
  ['when: config.?data.?mode.orValue("") == ', "when: mode == ", '^mode == "strict"', /not declared/],
  [
    'when: config.?data.?mode.orValue("") == "strict"',
    "when: deployments.served",
    "^deployments.served",
    /not declared/,
  ],
  // Expressions.
  ["shops.items.size() > 100", "shop.items.size() > 100", "^shop.items", /did you mean shops\?/],
  ["shops.items.size() > 100", "shops.itmes.size() > 100", "^shops.itmes", /did you mean items\?/],
  ["shops.items.size() > 100", "shops.items.sizes() > 100", "^shops.items.sizes", /did you mean size\?/],
  [
    "shops.items.size() > 100",
    'shops.items.size() > "100"',
    '^shops.items.size() > "',
    /no overload|no matching|can't|>/,
  ],
  ["shops.items.size() > 100", "shops.items.size()\n", "^shops.items.size()\n", /true or false, not int/],
  ["shops.items.size() > 100", "shops.items.size() => 100", "^=> 100", /did you mean|write|unexpected/],
  ["shops.items.size() > 100", "shops.items.size() > 100 &&", "&&^\n", /incomplete/],
  ["shops.items.size() > 100", "shops.served and mode == 'x'", "^and mode", /write &&/],
  ["shops.items.size() > 100", "shops.items.exists(s, s.open = true)", "^= true", /write ==/],
  ["shops.items.size() > 100", 'mode.matches("[")', '^"["', /./],
  [
    "shops.items.size() > 100",
    "shops.items.exists(s, shops.items.exists(t, t.a == s.a))",
    "^shops.items.exists(t",
    /declare an index/,
  ],
  ["shops.items.size() > 100", "target.versoin == mode", "^target.versoin", /did you mean version\?/],
  ["shops.items.size() > 100", "served.shop", "^served.shop\n", /did you mean shops\?/],
  ["forEach: shops.items\n          when", "forEach: shops\n          when", "forEach: ^shops\n", /a list/],
  ["          when: object.?spec", "          wenn: object.?spec", "^wenn:", /did you mean when\?/],
  ["        - forEach: shops.items\n          when", "        - when", "- ^when: object", /forEach, or the object/],
  ["byOwner[?", "byOwnr[?", "^deployments.by.byOwnr", /did you mean byOwner\?/],
  // Texts.
  ["${objects}.", "${object}.", "${^object}", /did you mean objects\?/],
  ["${objects}.", "${objects.", "^${objects.", /closed by }/],
  ["${object.?spec.?windows.orValue(0)} windows", "${1.5} windows", "${^1.5}", /double/],
  ["${ref(object)}", "${reff(object)}", "${^reff(object)}", /did you mean ref\?/],
  ["${shops.items.size()}", "${shops.items}", "^There are ${shops.items} shops", /whole object/],
];
