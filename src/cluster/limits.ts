/** The most bytes of one object, several times what an API server stores. */
export const LARGEST_OBJECT = 8 << 20;

/** The most bytes of one line of a text. */
export const LARGEST_LINE = 1 << 20;

/** The most bytes of one page; one that is larger is asked for again with fewer objects, down to one. */
export const LARGEST_PAGE = 64 << 20;

/** What the size of pages is steered to: it bounds what the API server has to hold for us. */
export const WANTED_PAGE = 4 << 20;

/** Objects on the first page, and on any. */
export const FIRST_LIMIT = 250;
export const LARGEST_LIMIT = 500;

/** How often a list is begun again since the API server forgot the state that it began with. */
export const RESTARTS = 3;
