"""Child processes: started, watched, retried and killed; on this machine or on a Dask cluster."""
