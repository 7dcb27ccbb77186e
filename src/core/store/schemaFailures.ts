/** What kind of failure of its model ended a run, and why a run is parked where that is not the end of its window. */
export const failures = `
	ALTER TABLE run ADD COLUMN failure TEXT;
	ALTER TABLE run ADD COLUMN parked_because TEXT CHECK (parked_because IS NULL OR hold = 'parked');
`;
