"""Many fits on disk: authors x splits x settings as independent jobs, which survive anything."""
