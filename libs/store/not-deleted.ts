/** SQL: a destination `d` exists. A deleted destination has left its namespace; its rows are still being removed. */
export const NOT_DELETED = 'd.namespace_id IS NOT NULL';
