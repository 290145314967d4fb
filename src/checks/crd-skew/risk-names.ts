/** Names never change, since administrators accept risks by name. */
export const CRD_REFUSED = "CrdRefused";
export const OBJECT_INVALID = "CustomResourceInvalid";
export const FIELDS_FROZEN = "CustomResourceFieldsFrozen";
export const FIELDS_DROPPED = "CustomResourceFieldsDropped";
export const STORED_VERSION_REMOVED = "CrdStoredVersionRemoved";
export const SERVED_VERSION_REMOVED = "CrdServedVersionRemoved";
export const SUBRESOURCE_REMOVED = "CrdSubresourceRemoved";
export const CONVERSION_UNAVAILABLE = "CrdConversionUnavailable";
export const CRD_DELETED = "CrdDeletedWithObjects";
export const SCOPE_OR_KIND_CHANGED = "CrdScopeOrKindChanged";
export const NAMES_CHANGED = "CrdNamesChanged";
