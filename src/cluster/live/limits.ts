/** The most bytes of one object, several times what an API server stores. */
export const MAX_OBJECT_BYTES = 8 << 20;

/** The most bytes of one line of a text. */
export const MAX_LINE_BYTES = 1 << 20;

/** The most bytes of one page; one that is larger is asked for again with fewer objects, down to one. */
export const MAX_PAGE_BYTES = 64 << 20;

/** What the size of pages is steered to: it bounds what the API server has to hold for us. */
export const PREFERRED_PAGE_BYTES = 4 << 20;

/** Objects on the first page, and on any. */
export const FIRST_PAGE_LIMIT = 250;
export const MAX_PAGE_LIMIT = 500;

/** How often a list is begun again since the API server forgot the state that it began with. */
export const MAX_RESTARTS = 3;
