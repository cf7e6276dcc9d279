"""Addresses of the desk without network."""

from django.urls import path

from loans import kept_views

urlpatterns = [
    path("offline/", kept_views.offline_desk, name="offline-desk"),
    path("kept/", kept_views.kept_scans, name="kept-scans"),
    path("kept/<int:pk>/settle/", kept_views.settle, name="kept-scan-settle"),
]
