-- How much a step's console holds, known without reading it: a read shows so much of an execution's values and no more.
ALTER TABLE step_consoles
  ADD COLUMN bytes integer GENERATED ALWAYS AS (octet_length(lines::text)) STORED;

-- Retention keeps an execution for as long as a delivery names it.
CREATE INDEX webhook_deliveries_execution_id_idx ON webhook_deliveries (execution_id);
