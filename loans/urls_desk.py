"""Addresses of the desk's smaller pages."""

from django.urls import path

from loans import desk_views, games_day_views

urlpatterns = [
    path("commands/", desk_views.command_sheet, name="commands"),
    path("quick-add/", desk_views.quick_add, name="quick-add"),
    path("notes/", desk_views.leave_note, name="note-leave"),
    path("notes/<int:pk>/settle/", desk_views.settle_note, name="note-settle"),
    path("list/", desk_views.lend_list, name="lend-list"),
    path("kits/", desk_views.kits, name="kits"),
    path("kits/<int:pk>/", desk_views.kit, name="kit"),
    path("event/", games_day_views.games_days, name="games-days"),
    path("event/<int:pk>/", games_day_views.day, name="games-day"),
    path("event/<int:pk>/scan/", games_day_views.scan, name="games-day-scan"),
    path("event/<int:pk>/in-play/", games_day_views.in_play, name="games-day-in-play"),
    path("event/<int:pk>/close/", games_day_views.close, name="games-day-close"),
]
