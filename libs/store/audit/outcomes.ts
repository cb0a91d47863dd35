/**
 * The outcomes by which an entry is found, in SQL: its own, and "refused" if any of its secrets was refused. Only requests
 * about many secrets count those.
 */
export const OUTCOMES_OF_ENTRY = "(outcome, CASE WHEN detail -> 'refused' IS NOT NULL THEN 'refused' END)";
