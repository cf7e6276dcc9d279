"""Addresses of the public catalogue."""

from django.urls import path

from search import ask_views, table_views, views

urlpatterns = [
    path("", views.home, name="home"),
    path("ask/", ask_views.ask, name="ask"),
    path("asked/<str:token>/", ask_views.asked, name="asked"),
    path("suggestions/", views.suggestions, name="suggestions"),
    path("games/<int:pk>/", views.game, name="game"),
    path("games/<int:pk>/rules.html", table_views.bundle, name="game-bundle"),
    path("rules/<int:pk>/", views.rules_text, name="rules-text"),
    path("rules/<int:pk>/revisions/<int:number>/", views.rules_text, name="rules-revision"),
    path("rules/<int:pk>/history/", views.rules_history, name="rules-history"),
    path("rules/<int:pk>/diff/", views.rules_diff, name="rules-diff"),
    path("rules/<int:pk>/sections/<str:anchor>/", views.rules_section, name="rules-section"),
    path("rules/<int:pk>/beside/<int:other>/", views.rules_beside, name="rules-beside"),
    path("r/<int:pk>", table_views.short, name="short"),
    path("r/<int:pk>/qr.svg", table_views.qr_code, name="short-qr"),
    path("r/<int:pk>/label/", table_views.label, name="short-label"),
    path("manifest.webmanifest", table_views.manifest, name="manifest"),
    path("sw.js", table_views.worker, name="worker"),
    path("offline/", table_views.offline, name="offline"),
    path("documents/<int:pk>/", views.document, name="document"),
]
