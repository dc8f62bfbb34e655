"""Content of the editions whose datasheets give WS, BS, S and A to models: schemas, loading, fielding and tables."""
